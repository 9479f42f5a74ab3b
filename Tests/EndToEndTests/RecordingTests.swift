import DaemonHarness
import Foundation
import Glibc
import SimulatedReceiver
import Testing

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
      ["--json", "--satellites"],
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
}
