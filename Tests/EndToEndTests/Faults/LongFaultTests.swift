import DaemonHarness
import Foundation
import Glibc
import SimulatedReceiver
import Testing

/// Faults that take long, by their numbers in the fault matrix.
@Suite(.serialized, .takesLong, .timeLimit(.minutes(5)))
struct `In the long run` {
  @Test(.needsGPSD, arguments: [5, 30, 90])
  func `36: receiver unplugged for a while, with a gpsd that others use, too`(
    seconds: Int
  ) async throws {
    let folder = "/tmp/locwatch-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let site = try await Site(link: folder + "/gps0")
    let locwatch = try Locwatch.start("--json", "-v", site.address)
    var transcript = Transcript(of: locwatch)
    try await transcript.fix()
    let unplugged = ContinuousClock.now
    // gpsd 3.22 may be deaf for a while, whatever a client sends.
    let deafness = GPSDProcess.deafness(afterHangUpAt: .now)
    site.receiver.unplug()
    try await transcript.state("no-device", of: site.receiver.path)
    expect(ContinuousClock.now - unplugged, within: .seconds(5))
    try await waitUntil("\(seconds) s", timeout: .seconds(seconds + 10)) {
      ContinuousClock.now - unplugged > .seconds(seconds)
    }
    try site.receiver.plugIn()
    let pluggedIn = ContinuousClock.now
    // From 3.25 on gpsd gives it up by itself.
    if try await !GPSDProcess.release.hasPrefix("3.22") {
      try await site.gpsd.addDevice(site.receiver.path)
    }
    try await transcript.state("fix-3d", timeout: .seconds(100))
    expect(ContinuousClock.now - pluggedIn, within: .seconds(15 + max(0, deafness - seconds)))
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
    #expect(locwatch.errors.lines.contains("locwatch: attempts to reconnect: 0"))
    #expect(try !locwatch.output.records().contains { $0.state == "lost" })
  }

  private static let day = 172_800

  @Test func `30: a day at 1 Hz, live`() async throws {
    let gate = Gate()
    let impostor = try Impostor([
      .sendLines(Reports.version), .generate { $0 < 1000 ? Self.report($0) : nil }, .wait(gate),
      .generate { $0 < Self.day - 1000 ? Self.report($0 + 1000) : nil }, .hold,
    ])
    // A file is as fast as it is written to; through a pipe this test would be too slow a reader.
    let output = try TemporaryFile()
    let locwatch = try Locwatch.start(
      ["--json", "-n", "\(Self.day / 2)", "127.0.0.1:\(impostor.port)"],
      output: .file(output.path))
    try await waitUntil("first records") { output.bytes.count > 100_000 }
    let before = try locwatch.usage()
    gate.open()
    var highest = before.residentBytes
    try await waitUntil("end", timeout: .seconds(200)) {
      if let figures = try? locwatch.usage() {
        highest = max(highest, figures.residentBytes)
      }
      return locwatch.status != nil
    }
    #expect(try await locwatch.waitForExit() == .exited(0))
    #expect(highest - before.residentBytes < 2_000_000)
    let fixes = output.text.components(separatedBy: #"{"type":"fix""#).count - 1
    #expect(fixes == Self.day / 2)
  }

  @Test func `30: a day at 1 Hz, by replay`() async throws {
    let file = try TemporaryFile((0..<Self.day).flatMap(Self.report))
    let result = try await Locwatch.run(
      ["--json", "-v", "--replay", file.path], timeout: .seconds(200))
    #expect(result.status == .exited(0))
    #expect(result.errors.contains("locwatch: fixes: \(Self.day / 2)\n"))
    #expect(result.errors.contains("locwatch: SKY reports: \(Self.day / 2)\n"))
  }

  /// A second has two reports, as a receiver's has.
  @Sendable private static func report(_ index: Int) -> [UInt8] {
    let report =
      index.isMultiple(of: 2)
      ? #"{"class":"SKY","device":"\#(Reports.device)","hdop":1.3,"nSat":12,"uSat":8}"#
      : Reports.fix(index / 2 * 10)
    return Array("\(report)\r\n".utf8)
  }
}
