import DaemonHarness
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
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
            - searching /dev/ttyACM0
            2026-11-20T07:05:01.000Z fix-3d /dev/ttyACM0
            2026-11-20T07:05:01.000Z fix-3d 48.118633333 11.517333333 545.4
            2026-11-20T07:05:02.000Z fix-3d 48.118633333 11.517333333 545.4
            2026-11-20T07:05:03.000Z lost /dev/ttyACM0 no-fix; last fix 2026-11-20T07:05:02.000Z 48.118633333 11.517333333

            """, errors: ""))
  }

  @Test func `comes through a pipe, too`() async throws {
    let locwatch = try Locwatch.start(["--replay", "-", "-f", "csv"], input: .pipe)
    try await locwatch.write("\(Reports.fix(0))\n\(Reports.fix(10))\n")
    // Written as it comes, and not at the end.
    _ = try await locwatch.output.waitForLine(containing: "2026-11-20T07:05:00.000Z,")
    try await locwatch.write("\(Reports.fix(20))\n")
    _ = try await locwatch.output.waitForLine(containing: "2026-11-20T07:05:01.000Z,")
    locwatch.closeInput()
    #expect(try await locwatch.waitForExit() == .exited(0))
    #expect(locwatch.output.lines.count == 4)
  }

  @Test(arguments: [
    ("", "has no gpsd report"),
    ("garbage\n\u{1}\u{2}\n", "has no gpsd report: it is not gpsd's JSON"),
    (#"{"class":"LOCWATCH","t":1.500}"# + "\n", "has no gpsd report"),
    ("\u{1f}\u{8b}\u{8}", "has no gpsd report: it is not gpsd's JSON"),
  ])
  func `needs a gpsd report at least`(text: String, reason: String) async throws {
    let file = try TemporaryFile(Array(text.utf8))
    let result = try await Locwatch.run("--json", "--replay", file.path)
    #expect(result.status == .exited(65))
    #expect(result.errors == "locwatch: \(file.path) \(reason)\n")
  }

  @Test func `of a compressed file is refused, and what to do is said`() async throws {
    let file = try TemporaryFile([0x1f, 0x8b, 0x08, 0x00])
    let result = try await Locwatch.run("--replay", file.path)
    #expect(
      result
        == .init(
          status: .exited(65), output: "",
          errors: "locwatch: \(file.path) is compressed: "
            + "gzip -dc \(file.path) | locwatch --replay -\n"))
  }

  @Test(arguments: [("/nonexistent", "No such file or directory"), ("/tmp", "Is a directory")])
  func `needs a file that can be read`(path: String, reason: String) async throws {
    let result = try await Locwatch.run("--json", "--replay", path)
    #expect(result.status == .exited(66))
    #expect(result.errors == "locwatch: \(path): \(reason)\n")
  }

  @Test func `counts the lines that are none`() async throws {
    let long = String(repeating: "x", count: 65_536)
    let file = try TemporaryFile(
      lines: [
        Reports.version, "no JSON", Reports.fix(0), long, #"{"class":"TPV""#, Reports.fix(10),
      ])
    let result = try await Locwatch.run("--replay", file.path, "--stats", "--no-events")
    #expect(result.status == .exited(0))
    #expect(result.output.split(separator: "\n").count == 2)
    #expect(
      result.errors == """
        locwatch: TPV reports: 2
        locwatch: VERSION reports: 1
        locwatch: fixes: 2
        locwatch: bad lines: 2
        locwatch: cut or too long: 1 (65538 bytes)
        locwatch: list elements left out: 0
        locwatch: records dropped for a slow reader: 0
        locwatch: reconnects: 0

        """)
  }

  @Test func `that ends before its count says so`() async throws {
    let file = try TemporaryFile(lines: [Reports.fix(0), Reports.fix(10)])
    let result = try await Locwatch.run("--replay", file.path, "-n", "3")
    #expect(result.status == .exited(124))
    #expect(result.errors == "locwatch: \(file.path) ends before fix 3\n")
  }

  @Test(arguments: [["-j"], ["-f", "gpx"], ["-f", "csv"], ["--stats", "-n", "5"]])
  func `of several files is that of all in one`(arguments: [String]) async throws {
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

  @Test(arguments: [
    (66, "/nonexistent", "/nonexistent: No such file or directory"),
    (66, "/tmp", "/tmp: Is a directory"),
  ])
  func `of several files needs them all before it begins`(
    status: Int32, path: String, words: String
  ) async throws {
    let file = try TemporaryFile(lines: [Reports.version, Reports.fix(0)])
    let result = try await Locwatch.run("--replay", file.path, "--replay", path)
    #expect(
      result == .init(status: .exited(status), output: "", errors: "locwatch: \(words)\n"))
  }
}
