import DaemonHarness
import Foundation
import Testing

/// Fault 86.
@Suite(.timeLimit(.minutes(3)))
struct `A replay` {
  @Test func `gives the transitions and fixes of its reports`() async throws {
    let file = try TemporaryFile(lines: [
      Reports.version, Reports.devices, Reports.noFix(0), Reports.fix(10), Reports.fix(20),
      Reports.noFix(30),
    ])
    let result = try await Locwatch.run("--replay", file.path)
    #expect(
      result
        == .init(
          status: .exited(0),
          output: """
            - connecting -
            2026-11-20T07:05:00.000Z searching /dev/ttyACM0
            2026-11-20T07:05:01.000Z fix-3d /dev/ttyACM0
            2026-11-20T07:05:01.000Z fix-3d 48.118633333 11.517333333 545.4
            2026-11-20T07:05:02.000Z fix-3d 48.118633333 11.517333333 545.4
            2026-11-20T07:05:03.000Z lost /dev/ttyACM0 no-fix; last fix 2026-11-20T07:05:02.000Z 48.118633333 11.517333333

            """, errors: ""))
  }

  private static let greeting =
    [Reports.version, Reports.devices, #"{"class":"WATCH","enable":true,"nmea":true}"#]
    .map { "\($0)\r\n" }.joined()
  private static let nmea =
    "$GPGGA,070500.00,4807.118,N,01131.040,E,1,08,0.9,545.4,M,46.9,M,,*42\r\n"
  @Test func `of a pipe that is no recording says what it is, and writes nothing`() async throws {
    let file = try TemporaryFile(lines: ["garbage"])
    let cat = try ChildProcess(
      "bash", ["-c", "cat \"$1\" | \"$0\" -f gpx --replay -", Locwatch.program, file.path])
    #expect(try await cat.waitForExit() == .exited(65))
    #expect(cat.output.text == "")
    #expect(
      cat.errors.text == """
        locwatch: standard input has no gpsd report: it is neither gpsd's JSON nor a receiver's log
        locwatch: 'locwatch --record FILE' and 'gpspipe -w' write files that can be replayed.

        """)
  }

  private static let little: [(String, String)] = [
    (greeting, "- connecting -\n"),
    (greeting + #"{"class":"TPV","mo"#, "- connecting -\n"),
    (
      Reports.version + "\n" + #"{"class":"DEVICES","devices":[]}"#,
      "- connecting -\n- no-device -\n"
    ),
    (#"{"class":"AIS","type":1}"# + "\n" + nmea, "- connecting -\n"),
    (
      "\u{1}\n" + nmea + Reports.noFix(0),
      "- connecting -\n2026-11-20T07:05:00.000Z searching /dev/ttyACM0\n"
    ),
  ]

  @Test(arguments: little)
  func `of a short recording works`(text: String, output: String) async throws {
    let file = try TemporaryFile(Array(text.utf8))
    let result = try await Locwatch.run("--replay", file.path)
    #expect(result == .init(status: .exited(0), output: output, errors: ""))
  }

  /// Whoever ends it before anything came has asked for no more.
  @Test func `that is interrupted leaves a whole document`() async throws {
    let locwatch = try Locwatch.start(["--replay", "-", "-f", "geojson", "-v"], input: .pipe)
    try await locwatch.write(Self.greeting)
    _ = try await locwatch.errors.waitForLine(containing: "receiver /dev/ttyACM0")
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
    #expect(locwatch.output.text == "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n")
  }

  @Test(arguments: [["-j"], ["-f", "gpx"], ["-f", "csv"], ["-v", "-n", "5"]])
  func `of several files is the same as of one`(arguments: [String]) async throws {
    let first = try TemporaryFile(lines: [
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#, Reports.version,
      Reports.devices, Reports.fix(0), #"{"class":"LOCWATCH","t":1.000}"#, Reports.fix(10), "torn",
    ])
    let second = try TemporaryFile(lines: [
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:20.000Z"}"#, Reports.noFix(200),
      #"{"class":"LOCWATCH","t":1.000}"#, Reports.fix(210), Reports.fix(220),
    ])
    let both = try TemporaryFile(first.bytes + second.bytes)
    let several = try await Locwatch.run(
      arguments + ["--replay", first.path, "--replay", second.path])
    let one = try await Locwatch.run(arguments + ["--replay", both.path])
    #expect(several.output == one.output && several.output.contains("07:05:21"))
    #expect(several.status == one.status)
    #expect(
      several.errors
        == one.errors.split(separator: both.path, omittingEmptySubsequences: false).joined(
          separator: second.path))
  }

  @Test(arguments: [nil, "a"])
  func `of more files than can be open reads them all`(source: String?) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let name = source.map { #","source":"\#($0)""# } ?? ""
    for number in 1000..<2100 {
      let text =
        #"{"class":"LOCWATCH","t":\#(number).000\#(name)}"# + "\n" + Reports.fix(number) + "\n"
      try Data(text.utf8).write(to: folder.appending(path: "\(number).jsonl"))
    }
    let locwatch = try ChildProcess(
      "bash",
      [
        "-c", "ulimit -n 64; \"$0\" -j --no-events --replay \"$1\"", Locwatch.program, folder.path,
      ])
    #expect(try await locwatch.waitForExit() == .exited(0))
    #expect(locwatch.errors.text == "")
    #expect(locwatch.output.lines.count == 1100)
  }
}
