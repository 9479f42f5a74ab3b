import DaemonHarness
import Foundation
import Glibc
import Testing

/// Several gpsds at the same time.
/// Faults 81 and 84.
@Suite(.timeLimit(.minutes(5))) struct `With several targets locwatch` {
  private static let greeting = ImpostorStep.sendLines(Reports.version, Reports.devices)

  private func fixing() throws -> Impostor {
    try Impostor([Self.greeting, .sendLines(Reports.fix(0)), .hold])
  }

  private func address(_ impostor: Impostor) -> String { "127.0.0.1:\(impostor.port)" }

  @Test func `names the source of each record`() async throws {
    let (bow, stern) = (try fixing(), try fixing())
    let locwatch = try Locwatch.start("-j", "bow=\(address(bow))", address(stern))
    for name in ["bow", address(stern)] {
      _ = try await locwatch.output.waitForLine(containing: #""fix","source":"\#(name)""#)
    }
    locwatch.signal(SIGTERM)
    #expect(try await locwatch.waitForExit() == .exited(143))
  }

  @Test func `takes a fix of each with --once, and returns the worst status`() async throws {
    let (good, other) = (try fixing(), try fixing())
    let without = try Impostor([Self.greeting, .sendLines(Reports.noFix(0)), .hold])
    let closed = "127.0.0.1:\(try freePort())"
    let both = try await Locwatch.run("-1", "a=\(address(good))", "b=\(address(other))")
    #expect(both.status == .exited(0))
    #expect(
      Set(both.output.split(separator: "\n")) == [
        "a 48.118633333 11.517333333 545.4", "b 48.118633333 11.517333333 545.4",
      ])
    let late = try await Locwatch.run(
      "-1", "-t", "4", "a=\(address(good))", "b=\(address(without))")
    #expect(late.status == .exited(124))
    #expect(late.output == "a 48.118633333 11.517333333 545.4\n")
    #expect(late.errors.hasPrefix("locwatch: b: no fix within 4 s: the receiver has no position"))
    let refused = try await Locwatch.run(
      "-1", "-t", "2", "a=\(address(without))", "b=\(closed)")
    #expect(refused.status == .exited(69) && refused.output == "")
    let any = try await Locwatch.run("-1", "--best", "a=\(closed)", "b=\(address(good))")
    #expect(any.status == .exited(0) && any.output.hasPrefix("b 48"))
  }

  @Test func `writes the same again from its recording`() async throws {
    let recording = try TemporaryFile()
    let region = "--region=home=48.118633333,11.517333333,100"
    let thin =
      #"{"class":"TPV","device":"/dev/x","mode":2,"time":"2026-11-20T07:05:01.000Z","#
      + #""lat":1,"lon":2}"#
    let steady = try Impostor(
      [Self.greeting]
        + (0..<25).flatMap { [.sendLines(Reports.fix($0)), .pause(.milliseconds(100))] } + [.hold])
    let silent = try Impostor([Self.greeting, .pause(.milliseconds(500)), .sendLines(thin), .hold])
    let live = try Locwatch.start([
      "-j", "--stale", "3s", region, "--record", recording.path, "a=\(address(steady))",
      "b=\(address(silent))",
    ])
    try await live.waitForLoss(of: "a", after: 24)
    try await live.waitForLoss(of: "b", after: 10)
    live.signal(SIGINT)
    #expect(try await live.waitForExit() == .exited(130))
    for (source, presence) in [("a", "inside"), ("b", "outside")] {
      let record =
        #"{"type":"region","source":"\#(source)","region":"home","presence":"\#(presence)","#
      #expect(live.output.lines.count { $0.hasPrefix(record) } == 1)
    }
    let replay = try await Locwatch.run("-j", "--stale", "3s", region, "--replay", recording.path)
    #expect(replay.status == .exited(0))
    #expect(replay.output == live.output.text)
  }

  @Test(arguments: [true, false])
  func `reports in time that the position of a source is lost, in a replay too`(
    hasFixAfterwards: Bool
  ) async throws {
    let recording = try TemporaryFile(lines: [
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z","source":"a"}"#,
      Reports.fix(0), #"{"class":"LOCWATCH","t":0.200,"source":"a"}"#, Reports.fix(2),
      #"{"class":"LOCWATCH","t":1.000,"source":"b"}"#, Reports.fix(10),
      #"{"class":"LOCWATCH","t":5.200,"source":"a"}"#,
      #"{"class":"LOCWATCH","t":29.000,"source":"b"}"#, Reports.fix(290),
      #"{"class":"LOCWATCH","t":31.000,"source":"a"}"#,
      #"{"class":"LOCWATCH","t":31.000,"source":"b"}"#, hasFixAfterwards ? Reports.fix(310) : "",
    ])
    let result = try await Locwatch.run(
      "-f", "text", "--replay", recording.path, "--region=home=48.1186,11.5173,100")
    #expect(
      result.output.split(separator: "\n").suffix(hasFixAfterwards ? 3 : 2)
        == [
          "b 2026-11-20T07:05:29.000Z fix-3d 48.118633333 11.517333333 545.4",
          "a 2026-11-20T07:05:30.200Z region /dev/ttyACM0 home unknown, was inside",
          "b 2026-11-20T07:05:31.000Z fix-3d 48.118633333 11.517333333 545.4",
        ].prefix(hasFixAfterwards ? 3 : 2))
  }

  /// A run of one source, with three fixes from a second on.
  private static func one(_ second: Int) -> [String] {
    (0...2).flatMap { elapsed in
      let start = elapsed == 0 ? #","start":"2026-11-20T07:05:\#(second).000Z""# : ""
      return [
        #"{"class":"LOCWATCH","t":\#(elapsed).000\#(start)}"#,
        Reports.fix(10 * (second + elapsed)),
      ]
    }
  }

  /// A run of two sources, with three fixes from a second on.
  private static func several(_ second: Int) -> [String] {
    [
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:\#(second).000Z","source":"a"}"#,
      Reports.fix(10 * second), #"{"class":"LOCWATCH","t":0.100,"source":"b"}"#,
      Reports.fix(10 * second + 1), #"{"class":"LOCWATCH","t":0.150,"source":"a"}"#,
      #"{"class":"LOCWATCH","t":1.000,"source":"b"}"#,
      Reports.fix(10 * second + 10), #"{"class":"LOCWATCH","t":1.500,"source":"b"}"#,
    ]
  }

  @Test(arguments: [[10], [-10], [10, -20], [-10, 20], [10, -20, 30], [-10, 20, -30]])
  func `replays runs of one source among those of several`(runs: [Int]) async throws {
    let lines = runs.map { $0 > 0 ? Self.one($0) : Self.several(-$0) }
    let expected = runs.flatMap { run in
      run > 0
        ? [",\(run).000", ",\(run + 1).000", ",\(run + 2).000"]
        : ["a,\(-run).000", "b,\(-run).100", "b,\(1 - run).000"]
    }
    let files = try lines.map { try TemporaryFile(lines: $0) }
    // The optimiser releases what an array has after its last use, and a file is removed with its owner.
    defer { withExtendedLifetime(files) {} }
    let all = try TemporaryFile(lines: lines.flatMap(\.self))
    for replays in [files.flatMap { ["--replay", $0.path] }, ["--replay", all.path]] {
      let csv = try await Locwatch.run(["-f", "csv:time"] + replays)
      #expect(csv.status == .exited(0) && csv.errors == "")
      let records = csv.output.split(whereSeparator: \.isNewline).dropFirst()
      let json = try await Locwatch.run(["-j", "--no-events"] + replays)
      #expect(
        json.output.split(separator: "\n").map { $0.contains(#""source""#) }
          == expected.map { !$0.hasPrefix(",") })
      guard runs != [10] else { continue }
      #expect(
        records.map { $0.replacing("2026-11-20T07:05:", with: "").dropLast() }
          == expected.map { $0[...] })
      // One fix of each source.
      let once = try await Locwatch.run(["-1"] + replays)
      #expect(once.status == .exited(0))
      let sources = (runs.max() ?? 0 > 0 ? [""] : []) + ["a ", "b "]
      #expect(
        Set(once.output.split(separator: "\n").map(String.init))
          == Set(sources.map { $0 + "48.118633333 11.517333333 545.4" }))
      let named = try await Locwatch.run(
        ["-j", "--no-events", "--replay", "me=\(all.path)"])
      #expect(
        named.output.split(separator: "\n").count { $0.contains(#""source":"me""#) }
          == expected.count { $0.hasPrefix(",") })
    }
  }

  @Test func `reports on each source of a replay, and has its metrics`() async throws {
    let recording = try TemporaryFile(lines: Self.one(10) + Self.several(30))
    let report = try await Locwatch.run("--replay", recording.path, "--report", "-")
    #expect(report.status == .exited(0) && report.errors == "")
    let receivers = report.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(
      receivers == ["/dev/ttyACM0", "a: /dev/ttyACM0", "b: /dev/ttyACM0"])
    #expect(report.output.split(separator: "\n").contains { $0.hasPrefix("  3 fixes, 3 in 3D") })
    let metrics = try TemporaryFile(lines: [])
    let result = try await Locwatch.run(
      "--replay", recording.path, "-f", "prometheus", "-o", metrics.path)
    #expect(result.status == .exited(0) && result.errors == "")
    let lines = try String(contentsOfFile: metrics.path, encoding: .utf8).split(separator: "\n")
    let counts = lines.filter { $0.hasPrefix("locwatch_lines_total{") }
    #expect(
      counts == [
        #"locwatch_lines_total{source="localhost"} 3"#, #"locwatch_lines_total{source="a"} 1"#,
        #"locwatch_lines_total{source="b"} 2"#,
      ])
  }

  @Test func `looks for a receiver again, while the others continue`() async throws {
    let first = try fixing()
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let locwatch = try Locwatch.start("-j", "first=\(address(first))", "m=\(path)")
    _ = try await locwatch.output.waitForLine(containing: #""fix","source":"first""#)
    _ = try await locwatch.output.waitForLine(containing: #""source":"m","state":"no-device""#)
    _ = try await locwatch.errors.waitForLine(
      containing: "m: \(path): No such file or directory")
    try Data().write(to: URL(filePath: path))
    _ = try await locwatch.errors.waitForLine(containing: "m: \(path) is not a serial device")
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
  }

  @Test func `writes what it has without a receiver that is missing`() async throws {
    let missing = "m=/nowhere/ttyX"
    let impostors = try (0..<2).map { _ in try fixing() }
    let good = impostors.map { "a=\(address($0))" }
    let all = try await Locwatch.run("-1", good[0], missing)
    #expect(all.status == .exited(66))
    #expect(all.output == "a 48.118633333 11.517333333 545.4\n")
    #expect(all.errors.hasPrefix("locwatch: m: /nowhere/ttyX: No such file or directory\n"))
    let best = try await Locwatch.run("-1", "--best", missing, good[1])
    #expect(best.status == .exited(0))
    #expect(best.output == "a 48.118633333 11.517333333 545.4\n")
    let alone = try await Locwatch.run("-1", "/nowhere/ttyX")
    #expect(alone.status == .exited(66))
    withExtendedLifetime(impostors) {}
  }

  @Test func `writes only the best of them with --best`() async throws {
    let (first, second) = (try fixing(), try Impostor([Self.greeting, .hold]))
    let locwatch = try Locwatch.start(
      "-j", "--best", "a=\(address(second))", "b=\(address(first))")
    _ = try await locwatch.output.waitForLine(
      containing: #"{"type":"selected","source":"b","selected":"b""#)
    _ = try await locwatch.output.waitForLine(containing: #"{"type":"fix","source":"b","#)
    locwatch.signal(SIGINT)
    _ = try await locwatch.waitForExit()
  }

  @Test func `shows a table on a terminal, the worst first`() async throws {
    let good = try fixing()
    let closed = "127.0.0.1:\(try freePort())"
    let locwatch = try Locwatch.startOnTerminal(
      "--stale", "1h", "good=\(address(good))", "bad=\(closed)")
    try await waitUntil("the table shows both") {
      let lines = locwatch.output.text.split { "\r\n".contains($0) }
      guard let header = lines.lastIndex(where: { $0.contains("source  state") }) else {
        return false
      }
      let rows = lines[header...].dropFirst().prefix(2)
      return rows.first?.hasPrefix("bad") == true && rows.last?.contains("fix-3d") == true
    }
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
  }
}
