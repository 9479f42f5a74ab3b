import DaemonHarness
import Glibc
import Testing

/// Fault 80.
@Suite(.timeLimit(.minutes(3)))
struct `With --output` {
  private static let recording = [
    Reports.version, Reports.devices, Reports.fix(0), Reports.fix(10), Reports.noFix(20),
  ]

  @Test func `a report that cannot be written decides the status of a run that a signal ends`()
    async throws
  {
    let impostor = try Impostor([.sendLines(Reports.version, Reports.fix(0)), .hold])
    let folder = try TemporaryFolder()
    let report = try folder.makeFolder("there") + "/report.json"
    let locwatch = try Locwatch.start("--report", report, "127.0.0.1:\(impostor.port)")
    _ = try await locwatch.output.waitForLine(containing: "fix-3d")
    #expect(rmdir(folder.path + "/there") == 0)
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
