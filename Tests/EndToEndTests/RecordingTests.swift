import DaemonHarness
import Foundation
import Glibc
import SimulatedReceiver
import Testing

/// Fault 85.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A recording that locwatch makes` {
  private static let odd: [ImpostorStep] = [
    .sendLines(Reports.version, Reports.devices, Reports.fix(0)),
    .send("not JSON\n\r\n"), .sendBytes([0xff, 0x00, 0x0a]), .sendLines(Reports.fix(10)),
  ]
  private static let oddBytes: [UInt8] =
    Array(
      [Reports.version, Reports.devices, Reports.fix(0)].map { "\($0)\r\n" }.joined().utf8)
    + Array("not JSON\n\r\n".utf8) + [0xff, 0x00, 0x0a] + Array("\(Reports.fix(10))\r\n".utf8)

  /// A recording without the lines that locwatch puts between gpsd's.
  private func lines(of file: TemporaryFile) -> [UInt8] {
    let lines = file.bytes.split(separator: 0x0a, omittingEmptySubsequences: false).dropLast()
    let own = [#"{"class":"LOCWATCH","#, #"{"class":"LOCWATCH_LINK","#].map { Array($0.utf8) }
    return lines.filter { line in !own.contains { line.starts(with: $0) } }.flatMap {
      Array($0) + [0x0a]
    }
  }

  /// The reports of a run and of its replay, as JSON, which are beside a file.
  private func liveAndReplayed(_ report: TemporaryFile) throws -> [String] {
    try [".json", ".replay.json"].map { ending in
      defer { try? FileManager.default.removeItem(atPath: report.path + ending) }
      return try String(contentsOfFile: report.path + ending, encoding: .utf8)
    }
  }

  @Test func `is byte for byte what gpsd sent, and continues in the same file`() async throws {
    let impostor = try Impostor(Self.odd + [.send("cut off"), .close])
    let file = try TemporaryFile()
    for run in 1...2 {
      let result = try await Locwatch.run(
        "--no-reconnect", "--record", file.path, "127.0.0.1:\(impostor.port)")
      #expect(result.status == .exited(69))
      #expect(lines(of: file) == Array(repeatElement(Self.oddBytes, count: run).joined()))
    }
    #expect(file.text.components(separatedBy: #","start":""#).count == 3)
  }

  @Test func `can replace the output`() async throws {
    let impostor = try Impostor(Self.odd + [.close])
    let result = try await Locwatch.run(
      "--no-reconnect", "--record", "-", "127.0.0.1:\(impostor.port)")
    let file = try TemporaryFile(Array(result.output.utf8))
    let readable = String(decoding: Self.oddBytes, as: UTF8.self)
    #expect(lines(of: file) == Array(readable.utf8))
  }

  /// Their library takes a line for JSON only where it ends as gpsd's do.
  @Test(.needsGPSCSV) func `is read by gpscsv and gpsprof`() async throws {
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0)), .pause(.milliseconds(50)),
      .sendLines(Reports.fix(10), Reports.fix(20)), .close,
    ])
    let file = try TemporaryFile()
    _ = try await Locwatch.run(
      "--no-reconnect", "--record", file.path, "127.0.0.1:\(impostor.port)")
    #expect(file.text.components(separatedBy: #"{"class":"LOCWATCH","#).count > 2)
    let table = try ChildProcess("/usr/bin/gpscsv", ["--file", file.path])
    #expect(try await table.waitForExit() == .exited(0))
    #expect(table.errors.text == "")
    #expect(
      table.output.lines == ["time,lat,lon,altHAE"]
        + [0, 10, 20].map { "\(Reports.time($0)),48.118633333,11.517333333,592.3" })
    let plot = try ChildProcess(
      "/usr/bin/gpsprof", ["--formatter", "space", "--redo"], input: .file(file.path))
    #expect(try await plot.waitForExit() == .exited(0), "\(plot.errors.text)")
    #expect(plot.output.text.contains("Meters north from 48.118633333N"))
  }

  /// What the documents promise: fixes and states, with all their times.
  @Test(
    .needsGPSD,
    arguments: [
      ["--json"], ["--json", "--satellites"], [], ["-f", "gpx"], ["-f", "geojson"],
      [
        "-f",
        "csv:time,received,age,current,timeJump,lat,lon,altHAE,speed,accuracy,satsUsed,device",
      ],
    ])
  func `replays to the records that were written live`(arguments: [String]) async throws {
    let site = try await Site(
      .quick(
        Phase(6, .searching(inView: 5)), Phase(5, .threeDimensional),
        Phase(3, .searching(inView: 2)), Phase(5, .twoDimensional), Phase(12, .silent),
        Phase(5, .threeDimensional), Phase(5, .threeDimensional, clock: .off(bySeconds: 20)),
        Phase(5, .threeDimensional), route: .driving))
    let file = try TemporaryFile()
    let ways = arguments + ["--stale", "700ms", "-n", "26"]
    let live = try await Locwatch.run(ways + ["--record", file.path, site.address])
    #expect(live.status == .exited(0), "\(live.errors)")
    #expect(live.output.utf8.count { $0 == UInt8(ascii: "\n") } >= 26)
    for speed in ["max", "20"] {
      let replay = try await Locwatch.run(ways + ["--replay", file.path, "--speed", speed])
      #expect(replay == live)
    }
  }

  @Test(arguments: [["--duration", "3s"], ["-n", "9", "--timeout", "3s"]])
  func `of a receiver that is silent at the end replays to the same loss and report`(
    ending: [String]
  ) async throws {
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0)), .pause(.milliseconds(300)),
      .sendLines(Reports.fix(10)), .hold,
    ])
    let (file, report) = (try TemporaryFile(), try TemporaryFile())
    let ways = ["--json", "--stale", "700ms", "--report"]
    let live = try await Locwatch.run(
      ways + [report.path + ".json", "--record", file.path, "127.0.0.1:\(impostor.port)"] + ending)
    #expect(live.output.contains(#""state":"lost""#))
    let replay = try await Locwatch.run(
      ways + [report.path + ".replay.json", "--replay", file.path])
    #expect(replay.output == live.output)
    let reports = try liveAndReplayed(report)
    #expect(reports[0] == reports[1])
  }

  @Test func `of several sources, one silent at the end, replays to the same records`()
    async throws
  {
    let first = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0)), .hold,
    ])
    let second = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0)), .pause(.milliseconds(500)),
      .sendLines(Reports.fix(10)), .hold,
    ])
    let file = try TemporaryFile()
    let ways = ["--json", "--stale", "4s"]
    let live = try Locwatch.start(
      ways + [
        "--record", file.path, "a=127.0.0.1:\(first.port)", "b=127.0.0.1:\(second.port)",
      ])
    try await live.waitForLoss(of: "a", after: 0)
    try await live.waitForLoss(of: "b", after: 10)
    live.signal(SIGINT)
    #expect(try await live.waitForExit() == .exited(130))
    #expect(live.output.text.components(separatedBy: #""state":"lost""#).count == 3)
    let replay = try await Locwatch.run(ways + ["--replay", file.path])
    #expect(replay.output == live.output.text)
    let ends = file.text.split(separator: "\r\n").suffix(2)
    #expect(ends.allSatisfy { $0.hasPrefix(#"{"class":"LOCWATCH","t":"#) })
  }

  /// Fault 131.
  @Test(arguments: [false, true])
  func `of a gpsd that ends, comes back and ends replays to the same states and report`(
    isOfSeveral: Bool
  ) async throws {
    let greeting = ImpostorStep.sendLines(Reports.version, Reports.devices, Reports.fix(0))
    let impostor = try Impostor(
      [greeting, .pause(.milliseconds(300)), .close],
      [greeting, .pause(.milliseconds(300)), .sendLines(Reports.fix(10)), .close], [.close])
    let other = try Impostor([greeting, .hold])
    let (file, report) = (try TemporaryFile(), try TemporaryFile())
    let targets =
      isOfSeveral
      ? ["a=127.0.0.1:\(impostor.port)", "b=127.0.0.1:\(other.port)"]
      : ["127.0.0.1:\(impostor.port)"]
    let ways = ["--json", "--report"]
    let live = try Locwatch.start(
      ways + [report.path + ".json", "--record", file.path] + targets)
    try await waitUntil("both ends") {
      live.output.text.components(separatedBy: #""state":"no-daemon""#).count == 3
    }
    live.signal(SIGINT)
    #expect(try await live.waitForExit() == .exited(130))
    let replay = try await Locwatch.run(
      ways + [report.path + ".replay.json", "--replay", file.path])
    #expect(replay.output == live.output.text)
    let reports = try liveAndReplayed(report)
    #expect(reports[0].contains("availability") && reports[0] == reports[1])
  }

  @Test(.needsGPSD) func `replays to the same bytes at any speed`() async throws {
    let site = try await Site(
      .quick(
        Phase(10, .searching(inView: 5)), Phase(10, .threeDimensional),
        Phase(10, .searching(inView: 2)), Phase(1, .twoDimensional), route: .driving))
    let file = try TemporaryFile()
    let locwatch = try Locwatch.start("--json", "--record", file.path, site.address)
    var transcript = Transcript(of: locwatch)
    try await transcript.state("lost")
    try await transcript.state("fix-2d")
    for _ in 0..<5 { try await transcript.fix() }
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
    var outputs: [String] = []
    for speed in ["max", "50", "3"] {
      let replay = try await Locwatch.run("--json", "--replay", file.path, "--speed", speed)
      #expect(replay.status == .exited(0) && replay.errors == "")
      outputs.append(replay.output)
    }
    #expect(outputs[0] == outputs[1] && outputs[0] == outputs[2])
    let live = try locwatch.output.records()
    let replayed = try Transcript.records(in: outputs[0])
    #expect(replayed.compactMap(\.transition) == live.compactMap(\.transition))
    #expect(
      replayed.filter(\.isFix).compactMap(\.time).starts(
        with: live.filter(\.isFix).compactMap(\.time)))
  }
}
