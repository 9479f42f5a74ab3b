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

  private static let greeting =
    [Reports.version, Reports.devices, #"{"class":"WATCH","enable":true,"nmea":true}"#]
    .map { "\($0)\r\n" }.joined()
  private static let nmea =
    "$GPGGA,070500.00,4807.118,N,01131.040,E,1,08,0.9,545.4,M,46.9,M,,*42\r\n"
  private static let recordHint =
    "\nlocwatch: 'locwatch --record FILE' and 'gpspipe -w' write files that can be replayed."
  private static let stampHint =
    "\nlocwatch: \"sed 's/^[^{]*//' FILE | locwatch --replay -\" reads it."

  /// A file that is not a recording, and the message about it.
  private static let foreign = foreignText.map { (Array($0.utf8), $1) }
  private static let foreignText: [(String, String)] =
    [
      ("", "is empty"),
      (#"{"class":"LOCWATCH","t":1.500}"# + "\n", "has no gpsd report"),
      ("\n\r\n", "has no gpsd report"),
      (
        "garbage\n\u{1}\u{2}\n",
        "has no gpsd report: it is neither gpsd's JSON nor a receiver's log" + recordHint
      ),
      (
        String(repeating: "x", count: 70_000),
        "has no gpsd report: it is neither gpsd's JSON nor a receiver's log" + recordHint
      ),
      (
        greeting + "garbage\n",
        "has no report of a receiver: it is neither gpsd's JSON nor a receiver's log" + recordHint
      ),
      (
        "2026-11-20 07:05:00: \(Reports.version)\r\n2026-11-20 07:05:00: \(Reports.fix(0))\r\n",
        "has no gpsd report: each report has a prefix, as 'gpspipe -t' writes it"
          + stampHint
      ),
      (
        "<?xml version=\"1.0\"?><gpx version=\"1.1\">\n",
        "has no gpsd report: it is GPX" + recordHint
      ),
      (
        #"{"type":"state","state":"connecting"}"# + "\n",
        "has no gpsd report: it is the output of locwatch --json" + recordHint
      ),
    ]

  @Test(arguments: foreign)
  func `of a file that is no recording says what it is, and writes nothing`(
    bytes: [UInt8], reason: String
  ) async throws {
    let file = try TemporaryFile(bytes)
    for arguments in [
      [], ["--json"], ["-f", "gpx"], ["-f", "csv"], ["-n", "2"], ["--speed", "5"],
    ] {
      let result = try await Locwatch.run(["--replay", file.path] + arguments)
      #expect(
        result
          == .init(
            status: .exited(65), output: "", errors: "locwatch: \(file.path) \(reason)\n"),
        "\(arguments)")
    }
    let cat = try ChildProcess(
      "bash", ["-c", "cat \"$1\" | \"$0\" --replay -", Locwatch.program, file.path])
    #expect(try await cat.waitForExit() == .exited(65))
    #expect(cat.output.text == "")
    #expect(cat.errors.text == "locwatch: standard input \(reason)\n")
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

  @Test(arguments: [
    ([], "it has /dev/ttyACM0, /dev/ttyUSB0"), (["-1"], "it has /dev/ttyACM0, /dev/ttyUSB0"),
    (["-j", "-n", "3"], "it has /dev/ttyACM0, /dev/ttyUSB0"),
  ])
  func `of a receiver that it lacks names those that it has`(
    arguments: [String], words: String
  ) async throws {
    let file = try TemporaryFile(lines: [
      Reports.version, Reports.devices, Reports.fix(0), Reports.fix(10, device: "/dev/ttyUSB0"),
    ])
    let result = try await Locwatch.run(
      arguments + ["--device", "/dev/ttyUSB7", "--replay", file.path])
    #expect(result.status == .exited(69))
    #expect(result.errors == "locwatch: \(file.path) has no receiver /dev/ttyUSB7: \(words)\n")
    #expect(!result.output.contains("fix"))
    let other = try await Locwatch.run(
      "--no-events", "--device", "/dev/ttyUSB0", "--replay", file.path)
    #expect(
      other
        == .init(
          status: .exited(0),
          output: "2026-11-20T07:05:01.000Z fix-3d 48.118633333 11.517333333 545.4\n", errors: ""))
  }

  @Test(arguments: [
    (
      [Reports.version, #"{"class":"DEVICES","devices":[]}"#], 69,
      "has no receiver /dev/x, nor any other"
    ),
    // Reports that name none are of the one that is wanted.
    (
      [
        Reports.version,
        Reports.fix(0).replacingOccurrences(of: #""device":"/dev/ttyACM0","#, with: ""),
      ], 0, nil
    ),
  ])
  func `of a receiver, where the file names none`(
    lines: [String], status: Int32, words: String?
  ) async throws {
    let file = try TemporaryFile(lines: lines)
    let result = try await Locwatch.run("--device", "/dev/x", "--replay", file.path)
    #expect(result.status == .exited(status))
    #expect(result.errors == (words.map { "locwatch: \(file.path) \($0)\n" } ?? ""))
  }

  @Test func `names each file that is not a recording`() async throws {
    let first = try TemporaryFile(lines: [Reports.version, Reports.fix(0)])
    let empty = try TemporaryFile([])
    let second = try TemporaryFile(Array("garbage\n".utf8))
    let result = try await Locwatch.run(
      "--no-events", "--replay", first.path, "--replay", empty.path, "--replay", second.path,
      "--replay", first.path)
    #expect(
      result
        == .init(
          status: .exited(65),
          output: "2026-11-20T07:05:00.000Z fix-3d 48.118633333 11.517333333 545.4\n",
          errors:
            "locwatch: \(second.path) has no gpsd report: it is neither gpsd's JSON nor a receiver's log"
            + "\(Self.recordHint)\n"))
    let without = try await Locwatch.run(
      "--no-events", "--replay", empty.path, "--replay", first.path)
    #expect(without.status == .exited(0) && without.output == result.output)
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

  @Test func `of a compressed file is the same as of the original`() async throws {
    let lines = Self.greeting + Reports.fix(1) + "\n"
    let file = try TemporaryFile(gzip(lines))
    let plain = try TemporaryFile(lines)
    let result = try await Locwatch.run("--replay", file.path, "-j")
    #expect(result.status == .exited(0))
    #expect(try await result == Locwatch.run("--replay", plain.path, "-j"))
    let input = try Locwatch.start(["--replay", "-", "-j"], input: .file(file.path))
    #expect(try await input.waitForExit() == .exited(0))
    #expect(input.output.text == result.output && input.errors.text == "")
  }

  @Test(arguments: [
    ("/nonexistent", ": No such file or directory"),
    ("/sys", " has no recording (*.jsonl, *.jsonl.gz)"),
  ])
  func `needs a file that can be read`(path: String, reason: String) async throws {
    let result = try await Locwatch.run("--json", "--replay", path)
    #expect(result.status == .exited(66))
    #expect(result.errors == "locwatch: \(path)\(reason)\n")
  }

  @Test func `counts the lines that are not reports`() async throws {
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
        locwatch: impossible numbers: 0
        locwatch: records dropped for a slow reader: 0
        locwatch: records not written at the end: 0
        locwatch: lines missing from the recording: 0
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

  @Test(arguments: [nil, "a"])
  func `of a file that vanishes before its turn names it`(source: String?) async throws {
    let file = try TemporaryFile(lines: [Reports.fix(10)])
    let locwatch = try Locwatch.start(
      ["-f", "text", "--no-events", "--replay", "-", "--replay", file.path], input: .pipe)
    let name = source.map { #","source":"\#($0)""# } ?? ""
    for elapsed in 0...1 {
      try await locwatch.write(
        #"{"class":"LOCWATCH","t":\#(elapsed).000\#(name)}"# + "\n\(Reports.fix(10 * elapsed))\n")
    }
    _ = try await locwatch.output.waitForLine(containing: "07:05:00")
    try FileManager.default.removeItem(atPath: file.path)
    locwatch.closeInput()
    #expect(try await locwatch.waitForExit() == .exited(66))
    #expect(locwatch.errors.text == "locwatch: \(file.path): No such file or directory\n")
    #expect(locwatch.output.lines.first?.contains("07:05:00") == true)
  }

  @Test(arguments: [
    (66, "/nonexistent", "/nonexistent: No such file or directory"),
    (66, "/sys", "/sys has no recording (*.jsonl, *.jsonl.gz)"),
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
