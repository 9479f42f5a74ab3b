import DaemonHarness
import Foundation
import Glibc
import LocationSamples
import Testing

/// Faults 80 and 90.
@Suite(.timeLimit(.minutes(3)))
struct `With --output` {
  private static let recording = [
    Reports.version, Reports.devices, Reports.fix(0), Reports.fix(10), Reports.noFix(20),
  ]

  @Test(
    arguments: [["-j"]] + (FormatCase.streamed.map(\.name) + ["%unix %source"]).map { ["-f", $0] })
  func `a file has what stdout would have, and nothing of what it had before`(
    format: [String]
  ) async throws {
    let recording = try TemporaryFile(lines: Self.recording)
    let file = try TemporaryFile(Array(String(repeating: "old\n", count: 2000).utf8))
    let expected = try await Locwatch.run(format + ["--replay", recording.path])
    let result = try await Locwatch.run(format + ["--replay", recording.path, "-o", file.path])
    #expect(result == .init(status: .exited(0), output: "", errors: ""))
    #expect(file.text == expected.output)
    #expect(!expected.output.isEmpty)
  }

  @Test func `a document is whole while locwatch runs`() async throws {
    let impostor = try Impostor([.sendLines(Reports.version, Reports.fix(0)), .hold])
    let file = try TemporaryFile()
    let locwatch = try Locwatch.start("-f", "gpx", "-o", file.path, "127.0.0.1:\(impostor.port)")
    try await waitUntil("a point") { file.text.contains("<trkpt") }
    locwatch.signal(SIGKILL)
    _ = try await locwatch.waitForExit()
    #expect(file.text.hasSuffix("</trkpt>\n</trkseg>\n</trk>\n</gpx>\n"))
  }

  @Test func `a document of KML has every point while locwatch runs`() async throws {
    let gate = Gate()
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.fix(0)), .wait(gate), .sendLines(Reports.fix(1)), .hold,
    ])
    let file = try TemporaryFile()
    let locwatch = try Locwatch.start(
      "-f", "kml", "-o", file.path, "--stale", "1h", "127.0.0.1:\(impostor.port)")
    try await waitUntil("a point") { file.text.contains("</gx:coord>\n</gx:Track>") }
    gate.open()
    try await waitUntil("another point") {
      file.text.contains("</when>\n<when>") && file.text.contains("</gx:coord>\n<gx:coord>")
    }
    locwatch.signal(SIGKILL)
    _ = try await locwatch.waitForExit()
    let end = "</gx:Track>\n</gx:MultiTrack>\n</Placemark>\n</Document>\n</kml>\n"
    #expect(file.text.hasSuffix("</gx:coord>\n" + end))
  }

  @Test func `metrics lose the position with the fix, and all that is current at the end`()
    async throws
  {
    let gate = Gate()
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0)), .wait(gate),
      .sendLines(Reports.noFix(10)), .hold,
    ])
    let file = try TemporaryFile()
    let locwatch = try Locwatch.start(
      "-f", "prometheus", "-o", file.path, "boat=127.0.0.1:\(impostor.port)")
    let latitude = #"locwatch_latitude_degrees{source="boat",device="/dev/ttyACM0"} 48.118633333"#
    try await waitUntil("a position") { file.text.contains(latitude) }
    #expect(file.text.contains(#"locwatch_up{source="boat"} 1"#))
    gate.open()
    try await waitUntil("a loss") { file.text.contains(#"state="lost"} 1"#) }
    #expect(!file.text.contains("locwatch_latitude_degrees{"))
    #expect(file.text.contains("locwatch_fix_timestamp_seconds{"))
    locwatch.signal(SIGTERM)
    #expect(try await locwatch.waitForExit() == .exited(143))
    #expect(file.text.contains(#"locwatch_up{source="boat"} 0"#))
    #expect(!file.text.contains("locwatch_receiver_state{"))
  }

  @Test func `a report that cannot be written decides the status of a run that a signal ends`()
    async throws
  {
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0)), .hold,
    ])
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let report = folder.appending(path: "report.json").path
    let locwatch = try Locwatch.start("--report", report, "127.0.0.1:\(impostor.port)")
    _ = try await locwatch.output.waitForLine(containing: "fix-3d")
    try FileManager.default.removeItem(at: folder)
    locwatch.signal(SIGTERM)
    #expect(try await locwatch.waitForExit() == .exited(73))
  }

  @Test func `a file that is read from standard input, or written to standard output, is refused`()
    async throws
  {
    let recording = try TemporaryFile(lines: Self.recording)
    let bytes = recording.bytes
    let input = try Locwatch.start(
      ["--replay", "-", "-o", recording.path], input: .file(recording.path))
    #expect(try await input.waitForExit() == .exited(64))
    #expect(
      input.errors.text
        == "locwatch: standard input and --output \(recording.path) are the same file\n"
        + "locwatch: Try 'locwatch --help'.\n")
    let output = try ChildProcess(
      "bash",
      ["-c", #""$@" >>"$FILE""#, "-", Locwatch.program, "--replay", recording.path],
      environment: ["FILE": recording.path])
    #expect(try await output.waitForExit() == .exited(64))
    #expect(output.errors.text.contains(" and standard output are the same file\n"))
    #expect(recording.bytes == bytes)
  }

  @Test(arguments: [["--report", "/nowhere/a.html"], ["-f", "prometheus", "-o", "/nowhere/a"]])
  func `a file that cannot be created later is an error at the start`(
    arguments: [String]
  ) async throws {
    let impostor = try Impostor([.sendLines(Reports.version, Reports.fix(0)), .hold])
    let recording = try TemporaryFile()
    let result = try await Locwatch.run(
      arguments + ["--record", recording.path, "127.0.0.1:\(impostor.port)"])
    #expect(
      result
        == .init(
          status: .exited(73), output: "",
          errors: "locwatch: cannot create \(arguments.last ?? ""): No such file or directory\n"))
    #expect(!FileManager.default.fileExists(atPath: recording.path))
  }

  @Test func `a pipe is waited for until it has a reader`() async throws {
    let recording = try TemporaryFile(lines: Self.recording)
    let pipe = try TemporaryFile()
    #expect(mkfifo(pipe.path, 0o600) == 0)
    let locwatch = try Locwatch.start(
      "-f", "csv", "--replay", recording.path, "-o", pipe.path)
    let reader = try ChildProcess("cat", [pipe.path])
    #expect(try await locwatch.waitForExit() == .exited(0))
    #expect(try await reader.waitForExit() == .exited(0))
    #expect(reader.output.lines.count == 3)
  }
}
