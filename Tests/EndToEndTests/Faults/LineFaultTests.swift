import DaemonHarness
import Glibc
import TestSupport
import Testing

/// Faults of what is sent, by their numbers in the fault matrix.
/// Fault 49.
@Suite(.timeLimit(.minutes(5)))
struct `Of bad lines` {
  /// What locwatch makes of some lines between two good fixes.
  private func result(
    of lines: [ImpostorStep], fixes: Int = 2
  ) async throws -> (records: [Record], errors: [String]) {
    let impostor = try Impostor(
      [.sendLines(Reports.version, Reports.devices, Reports.fix(0))] + lines
        + [.sendLines(Reports.fix(10)), .hold])
    let locwatch = try Locwatch.start(
      ["--json", "--verbose", "-n", "\(fixes)", "127.0.0.1:\(impostor.port)"])
    #expect(try await locwatch.waitForExit() == .exited(0))
    return (try locwatch.output.records(), locwatch.errors.lines)
  }

  @Test(arguments: [5, 6, 64]) func `14: many devices`(count: Int) async throws {
    let paths = (1...count).map { "/dev/ttyACM\($0)" }
    let devices = paths.map { #"{"class":"DEVICE","path":"\#($0)"}"# }.joined(separator: ",")
    let (records, errors) = try await result(
      of: [.sendLines(#"{"class":"DEVICES","devices":[\#(devices)]}"#)])
    let told = errors.filter { $0.hasSuffix(", not open") && !$0.contains("/dev/ttyACM0,") }
    #expect(told == paths.map { "locwatch: receiver \($0), not open" })
    #expect(records.filter(\.isFix).count == 2)
  }

  @Test func `14: a path of 200 bytes`() async throws {
    let path = "/dev/" + String(repeating: "x", count: 195)
    let (records, _) = try await result(
      of: [
        .sendLines(
          #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\#(path)"}]}"#,
          Reports.fix(10, device: path))
      ], fixes: 3)
    let devices = records.filter(\.isFix).compactMap(\.device)
    #expect(devices.sorted() == [Reports.device, Reports.device, path])
  }

  @Test func `15: half a line, 5 s, the rest`() async throws {
    let (half, rest) = (Reports.fix(10).prefix(100), Reports.fix(10).dropFirst(100))
    let (early, sent, late) = (Gate(), Gate(), Gate())
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.fix(0)), .wait(early),
      .trickle(Array(half.utf8), every: .milliseconds(50)), .open(sent), .wait(late),
      .trickle(Array("\(rest)\r\n".utf8), every: .milliseconds(5)), .hold,
    ])
    let locwatch = try Locwatch.start("--json", "--stale", "1h", "127.0.0.1:\(impostor.port)")
    var transcript = Transcript(of: locwatch)
    try await transcript.fix()
    let before = try ProcessFigures(of: locwatch.identifier)
    let start = ContinuousClock.now
    early.open()
    // A hundred bytes in 5 s.
    try await waitUntil("half a line") { sent.isOpen }
    let used = try ProcessFigures(of: locwatch.identifier).cpu - before.cpu
    #expect(used / (ContinuousClock.now - start) < 0.02)
    late.open()
    #expect(try await transcript.fix().time == Reports.time(10))
    #expect(try locwatch.output.records().filter(\.isFix).count == 2)
  }

  @Test func `16: long lines`() async throws {
    let long = [20_481, 28_672, 65_536, 65_537].enumerated().map { index, length in
      let report = Reports.fix(index + 1, extra: #","extra":""#)
      let end = "\"}\r\n"
      let head = report.dropLast(1)
      return head + String(repeating: "x", count: length - head.utf8.count - end.utf8.count) + end
    }
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.fix(0)), .send(long.joined()),
      .sendLines(Reports.fix(10)), .hold,
    ])
    let result = try await Locwatch.run(
      "--json", "-v", "-n", "5", "127.0.0.1:\(impostor.port)")
    #expect(result.status == .exited(0))
    #expect(
      try Transcript.records(in: result.output).filter(\.isFix).map(\.time)
        == [0, 1, 2, 3, 10].map(Reports.time))
    #expect(result.errors.contains("\nlocwatch: cut or too long: 1 (65537 bytes)\n"))
  }

  @Test(.takesLong) func `16: 100 MB without a newline`() async throws {
    let block = [UInt8](repeating: 0x78, count: 1_000_000)
    let (gate, sent) = (Gate(), Gate())
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.fix(0)), .wait(gate),
      .generate { index in
        if index < 100 { return block }
        sent.open()
        return nil
      }, .sendLines("", Reports.fix(10)), .hold,
    ])
    let locwatch = try Locwatch.start(
      "--json", "-v", "--stale", "1h", "127.0.0.1:\(impostor.port)")
    var transcript = Transcript(of: locwatch)
    try await transcript.fix()
    let before = try ProcessFigures(of: locwatch.identifier)
    gate.open()
    #expect(try await transcript.fix(timeout: .seconds(100)).time == Reports.time(10))
    let after = try ProcessFigures(of: locwatch.identifier)
    #expect(after.memory - before.memory < 2_000_000)
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
    #expect(locwatch.errors.lines.contains("locwatch: cut or too long: 1 (100000002 bytes)"))
    #expect(sent.isOpen)
  }

  @Test func `17: NUL, CRLF, empty lines, NMEA, invalid UTF-8`() async throws {
    let (records, errors) = try await result(
      of: [
        .sendBytes([0, 0x0a, 0x0d, 0x0a, 0x0a, 0xff, 0xfe, 0x0d, 0x0a]),
        .send("$GPGGA,070500.00,4807.118,N,01131.040,E,1,08,0.9,545.4,M,46.9,M,,*59\r\n"),
        .sendBytes(Array(Reports.fix(5).utf8) + [0, 0x0a]),
      ])
    #expect(records.filter(\.isFix).map(\.time) == [Reports.time(0), Reports.time(10)])
    #expect(errors.contains("locwatch: bad lines: 4"))
  }

  @Test func `17: four million empty lines, live and in a recording`() async throws {
    let empty = [UInt8](repeating: 0x0a, count: 4_000_000)
    try await expect(within: .seconds(4)) {
      let (records, errors) = try await result(of: [.sendBytes(empty)])
      #expect(records.filter(\.isFix).map(\.time) == [Reports.time(0), Reports.time(10)])
      #expect(errors.contains("locwatch: bad lines: 0"))
    }
    let text = Reports.fix(0) + String(decoding: empty, as: UTF8.self) + Reports.fix(10) + "\n"
    let recording = try TemporaryFile(text)
    try await expect(within: .seconds(2)) {
      let result = try await Locwatch.run("--json", "--replay", recording.path)
      let fixes = try Transcript.records(in: result.output).filter(\.isFix)
      #expect(fixes.map(\.time) == [Reports.time(0), Reports.time(10)])
    }
  }

  @Test(arguments: [
    #""mode":3,"lat":NaN,"lon":11.5"#, #""mode":3,"lat":Infinity,"lon":11.5"#,
    #""mode":3,"lat":1e999,"lon":11.5"#, #""mode":3,"lat":1e2147483648,"lon":11.5"#,
    #""mode":99,"lat":48.1,"lon":11.5"#, #""mode":3,"lat":91,"lon":11.5"#,
    #""mode":3,"lat":48.1,"lon":181"#, #""mode":3,"nested":{"lat":48.1,"lon":11.5}"#,
    #""mode":3,"lat":[48.1],"lon":11.5"#, #""mode":3,"lat":"48.1","lon":11.5"#,
    #""mode":3,"lat":null,"lon":11.5"#, #""mode":3,"lat":48.1,"lon":11.5,"lat":91"#,
    #""mode":3,"lat":48.1"#, #""mode":3,"lat":48.1,"lon":11.5"#.replacing("}", with: "") + "{",
    #""mode":0,"lat":48.1,"lon":11.5"#, #""mode":1,"lat":48.1,"lon":11.5"#,
  ])
  func `19: numbers and members that are none`(members: String) async throws {
    let report =
      #"{"class":"TPV","device":"\#(Reports.device)","time":"\#(Reports.time(5))",\#(members)}"#
    let (records, _) = try await result(of: [.sendLines(report)])
    #expect(records.filter(\.isFix).map(\.time) == [Reports.time(0), Reports.time(10)])
  }

  @Test(arguments: [
    #"{"mode":3,"lat":48.1,"lon":11.5"#, #"{"":"TPV","mode":3,"lat":48.1,"lon":11.5"#,
    "{\"class\0\":\"TPV\",\"mode\":3,\"lat\":48.1,\"lon\":11.5",
    "{\"class\":\"TPV\0\",\"mode\":3,\"lat\":48.1,\"lon\":11.5",
    #"{"class":"TPV","mode":3,"lat\u0000":48.1,"lon":11.5"#,
    #"{"class":"TPV\u0000","mode":3,"lat":48.1,"lon":11.5"#,
  ])
  func `60: no class, an empty name, a NUL at a name's end`(report: String) async throws {
    let end = #","device":"\#(Reports.device)","time":"\#(Reports.time(5))"}"#
    let (records, _) = try await result(of: [.sendBytes(Array("\(report)\(end)\r\n".utf8))])
    #expect(records.filter(\.isFix).map(\.time) == [Reports.time(0), Reports.time(10)])
  }

  @Test func `60: an unknown member with an empty name harms nothing`() async throws {
    let report = Reports.fix(5).replacing(#"{"class""#, with: #"{"":"x","":{"":1},"class""#)
    let (records, _) = try await result(of: [.sendLines(report)], fixes: 3)
    #expect(records.filter(\.isFix).map(\.time) == [0, 5, 10].map(Reports.time))
  }

  @Test func `56: two spellings of one path are two receivers`() async throws {
    let paths = ["/dev/caf\u{e9}", "/dev/cafe\u{301}"]
    let (records, _) = try await result(
      of: [.sendLines(Reports.fix(5, device: paths[0]), Reports.fix(5, device: paths[1]))],
      fixes: 4)
    let devices = records.filter(\.isFix).compactMap(\.device).map { Array($0.utf8) }
    #expect(devices.filter { $0 == Array(paths[0].utf8) }.count == 1)
    #expect(devices.filter { $0 == Array(paths[1].utf8) }.count == 1)
  }

  @Test(arguments: [
    Reports.noFix(5), Reports.noFix(5).replacing(#""mode":1"#, with: #""mode":0"#),
  ])
  func `20: mode 3, none, 3`(report: String) async throws {
    let (records, _) = try await result(of: [.sendLines(report)])
    #expect(
      records.dropFirst().map { $0.transition ?? "fix" }
        == ["fix-3d < connecting", "fix", "lost < fix-3d", "fix-3d < lost", "fix"])
    #expect(records.first { $0.state == "lost" }?.reason == "no-fix")
  }

  @Test func `21: TPV, then SKY, DEVICE, unknown class`() async throws {
    let (records, errors) = try await result(
      of: [
        .sendLines(
          #"{"class":"SKY","device":"\#(Reports.device)","satellites":[{"PRN":5,"used":true}]}"#,
          #"{"class":"DEVICE","path":"\#(Reports.device)","activated":"\#(Reports.time(0))"}"#,
          #"{"class":"NEW","device":"\#(Reports.device)","mode":3,"lat":1,"lon":1}"#)
      ])
    #expect(records.filter(\.isFix).map(\.time) == [Reports.time(0), Reports.time(10)])
    #expect(errors.contains("locwatch: NEW reports: 1"))
    #expect(errors.contains("locwatch: bad lines: 0"))
  }

  @Test(arguments: ["json", "csv:time,lat,lon,device", "gpx", "text"])
  func `31, 59: controls, quotes and invisible characters in names`(
    format: String
  ) async throws {
    let evil = #"/dev/\u001b]52;c;aGk=\u0007\u202e\u3164\ufe0f\u2800</name>\",=cmd\r\n"#
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.fix(0, device: evil), Reports.fix(10, device: evil)),
      .close,
    ])
    let result = try await Locwatch.run(
      "-f", format, "--no-reconnect", "--verbose", "127.0.0.1:\(impostor.port)")
    #expect(result.status == .exited(69))
    for text in [result.output, result.errors] {
      let controls = text.unicodeScalars.filter {
        $0 != "\n" && $0 != "\r" && $0.properties.generalCategory == .control
          || "\u{202e}\u{3164}\u{fe0f}\u{2800}".unicodeScalars.contains($0)
      }
      #expect(controls.isEmpty)
    }
    if format == "gpx" { #expect(!result.output.contains("</name>\"")) }
    #expect(result.output.contains("48.118633333"))
  }
}
