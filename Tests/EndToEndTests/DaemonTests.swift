import DaemonHarness
import Foundation
import Glibc
import SimulatedReceiver
import Testing

@Suite(.serialized, .needsGPSD, .timeLimit(.minutes(5)))
struct `When gpsd comes and goes, locwatch` {
  /// Fault 8.
  @Test(arguments: [Duration.zero, .seconds(1)])
  func `reconnects to a killed gpsd, and writes no epoch twice`(
    pause: Duration
  ) async throws {
    let site = try await Site()
    let locwatch = try Locwatch.start("--json", "-v", site.address)
    var transcript = Transcript(of: locwatch)
    try await transcript.fix()
    try await site.gpsd.kill()
    let gone = try await transcript.state("no-daemon")
    #expect(gone.previous == "fix-3d" && gone.device == nil)
    #expect(try #require(gone.retryIn) >= 0.8 && gone.retryIn ?? 0 <= 1.2)
    try await site.pass(pause)
    try await site.gpsd.restart()
    let back = try await transcript.state("fix-3d")
    #expect(back.previous == "searching" || back.previous == "no-daemon")
    for _ in 0..<5 { try await transcript.fix() }
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
    // gpsd's first reports have no time: it does not know yet what ends an epoch.
    let times = try locwatch.output.records().filter(\.isFix).compactMap(\.time)
    #expect(Set(times).count == times.count)
    let reconnects = try #require(
      locwatch.errors.lines.first { $0.hasPrefix("locwatch: attempts to reconnect: ") })
    #expect(!reconnects.hasSuffix(" 0"))
  }

  /// Fault 12.
  @Test func `says at once that a receiver was removed, and that it is back`() async throws {
    let site = try await Site()
    let locwatch = try Locwatch.start("--json", site.address)
    var transcript = Transcript(of: locwatch)
    try await transcript.fix()
    let path = site.receiver.path
    let start = ContinuousClock.now
    try await site.gpsd.removeDevice(path)
    let removed = try await transcript.state("no-device")
    let elapsed = ContinuousClock.now - start
    expect(elapsed, within: .seconds(1))
    #expect(removed.previous == "fix-3d" && removed.device == path)
    try await site.gpsd.addDevice(path)
    let back = try await transcript.state("fix-3d", of: path)
    #expect(back.previous == "searching" || back.previous == "no-device")
    try await transcript.fix()
  }

  /// Fault 36: what brings it back depends on gpsd's release, and on chance; `make faults` tries.
  @Test func `says that a receiver was unplugged, although gpsd does not`() async throws {
    let folder = "/tmp/locwatch-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let site = try await Site(link: folder + "/gps0")
    let locwatch = try Locwatch.start("--json", site.address)
    var transcript = Transcript(of: locwatch)
    try await transcript.fix()
    let start = ContinuousClock.now
    site.receiver.unplug()
    let gone = try await transcript.state("no-device")
    expect(ContinuousClock.now - start, within: .seconds(4))
    #expect(gone.previous == "fix-3d" && gone.device == site.receiver.path)
    try site.receiver.plugIn()
    // As udev's rules do; gpsd may not have it any more.
    try? await site.gpsd.removeDevice(site.receiver.path)
    try await site.gpsd.addDevice(site.receiver.path)
    try await transcript.state("fix-3d", of: site.receiver.path)
    #expect(try !locwatch.output.records().contains { $0.state == "lost" })
  }

  /// Fault 13.
  @Test func `waits for a first receiver`() async throws {
    let gpsd = try await GPSDProcess.start()
    let locwatch = try Locwatch.start("--json", "127.0.0.1:\(gpsd.port)")
    var transcript = Transcript(of: locwatch)
    let none = try await transcript.state("no-device")
    #expect(none.previous == "connecting" && none.device == nil)
    let receiver = try SimulatedReceiver(.standing)
    let feeding = Feeding(receiver)
    try await gpsd.addDevice(receiver.path)
    try await transcript.state("fix-3d", of: receiver.path)
    withExtendedLifetime(feeding) {}
  }

  /// Fault 26.
  @Test func `says that gpsd lacks the requested receiver`() async throws {
    let site = try await Site()
    let result = try await Locwatch.run("--once", "-d", "/dev/none", site.address)
    #expect(result.status == .exited(69) && result.output == "")
    #expect(
      result.errors.hasPrefix("locwatch: gpsd cannot open /dev/none: "), "\(result.errors)")
    #expect(result.errors.contains("\nlocwatch: Without --device, locwatch watches every receiver"))
  }

  /// Fault 4, as it really is: gpsd takes 64 clients.
  @Test func `says that gpsd accepts no more clients`() async throws {
    let gpsd = try await GPSDProcess.start()
    var clients: [LoopbackClient] = []
    for _ in 0..<64 {
      let client = try LoopbackClient(port: gpsd.port)
      _ = try await client.output.waitForLine(containing: "VERSION")
      clients.append(client)
    }
    let result = try await Locwatch.run("--once", "127.0.0.1:\(gpsd.port)")
    #expect(result.status == .exited(69) && result.output == "")
    // It is a reset where our WATCH reached gpsd before it closed.
    let words = ["closed by gpsd", "Connection reset by peer"].map {
      """
      locwatch: 127.0.0.1:\(gpsd.port): \($0)
      locwatch: gpsd accepts 64 clients and disconnects any others.

      """
    }
    #expect(words.contains(result.errors), "\(result.errors)")
    withExtendedLifetime(clients) {}
  }
}
