import DaemonHarness
import Foundation
import SimulatedReceiver
import Testing

/// `--class`: gpsd's reports of other classes in the JSON.
@Suite(.timeLimit(.minutes(5)))
struct `Reports of the classes that are named` {
  private static let device = Reports.device

  private static func pps(_ second: Int) -> String {
    #"{"class":"PPS","device":"\#(device)","real_sec":\#(second),"real_nsec":0,"#
      + #""clock_sec":\#(second),"clock_nsec":1250,"precision":-20}"#
  }

  private static let ais = #"{"class":"AIS","device":"stdin","type":5,"shipname":"M/V \u001b[2J"}"#

  /// A pulse each second for three seconds, none for four, and another; fixes all the time.
  private static let recording =
    [Reports.version, Reports.devices, ais]
    + (0...9).flatMap { second in
      [#"{"class":"LOCWATCH","t":\#(second).000}"#]
        + ([0, 1, 2, 7].contains(second) ? [pps(second)] : []) + [Reports.fix(second * 10)]
    }

  private func replay(_ arguments: String...) async throws -> [String] {
    let file = try TemporaryFile(lines: Self.recording)
    let result = try await Locwatch.run(["--json", "--replay", file.path] + arguments)
    #expect(result.status == .exited(0))
    return result.output.split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix(#"{"type":"state""#) && !$0.hasPrefix(#"{"type":"fix""#) }
  }

  private static func report(_ second: Int) -> String {
    #"{"type":"report","class":"PPS","device":"\#(device)","offset":0.00000125,"report":\#(pps(second))}"#
  }

  private static func change(_ change: String) -> String {
    #"{"type":"pps",\#(change),"device":"\#(device)"}"#
  }

  @Test func `are in a replay, with the loss of the pulses`() async throws {
    #expect(
      try await replay("--class", "PPS,ais") == [
        #"{"type":"report","class":"AIS","device":"stdin","report":\#(Self.ais)}"#,
        Self.report(0), Self.change(#""pps":"present""#), Self.report(1), Self.report(2),
        Self.change(#""pps":"lost","previous":"present""#), Self.report(7),
        Self.change(#""pps":"present","previous":"lost""#),
      ])
    #expect(try await replay() == [])
    #expect(try await replay("--class", "TOFF") == [])
    #expect(
      try await replay("--class", "PPS", "--no-events") == [0, 1, 2, 7].map(Self.report))
  }

  @Test func `are in live output, are requested from gpsd, and are recorded`() async throws {
    let impostor = try Impostor([
      .expect(#""pps":true"#), .sendLines(Reports.version, Self.pps(1), Reports.fix(0)), .hold,
    ])
    let file = try TemporaryFile()
    let locwatch = try Locwatch.start(
      "--json", "--class", "PPS", "--record", file.path, "127.0.0.1:\(impostor.port)")
    let present = try await locwatch.output.waitForLine(
      containing: #"{"type":"pps","pps":"present""#)
    #expect(present.contains(Self.device))
    let lost = try await locwatch.output.waitForLine(containing: #"{"type":"pps","pps":"lost""#)
    #expect(lost.contains(#""previous":"present""#))
    let report = try #require(locwatch.output.lines.first { $0.contains(#""type":"report""#) })
    #expect(report.contains(#""offset":0.00000125,"report":\#(Self.pps(1))}"#))
    locwatch.signal(SIGTERM)
    _ = try await locwatch.waitForExit()
    #expect(file.text.contains(Self.pps(1)))
  }

  @Test(.needsGPSD) func `come from a real gpsd, too`() async throws {
    let site = try await Site()
    let locwatch = try Locwatch.start("--json", "--class", "TOFF", site.address)
    let report = try await locwatch.output.waitForLine(containing: #""class":"TOFF""#)
    #expect(report.contains(#""device":"\#(site.receiver.path)""#))
    #expect(report.contains(#","offset":"#) && report.contains(#""real_sec":"#))
  }

  @Test(.needsGPSD) func `are counted by a report, but not written`() async throws {
    let site = try await Site()
    let path = "/tmp/locwatch-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    // gpsd reports no offset before the fourth fix since it has opened the receiver.
    let result = try await Locwatch.run("--json", "--report", path, "-n", "20", site.address)
    #expect(result.status == .exited(0) && !result.output.contains("TOFF"))
    let report = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    #expect(report.contains(#","serialTime":{"count":"#))
  }
}
