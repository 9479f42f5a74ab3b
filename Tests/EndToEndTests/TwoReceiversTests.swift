import DaemonHarness
import Foundation
import SimulatedReceiver
import Testing

/// Fault 23.
@Suite(.serialized, .needsGPSD, .timeLimit(.minutes(5)))
struct `Of two receivers locwatch` {
  private static let south = Route(latitude: -33.856784, longitude: 151.215297, altitudeMSL: 12)

  /// Two receivers far apart, the second one with a path of 100 bytes.
  private final class Pair {
    let first: SimulatedReceiver
    let second: SimulatedReceiver
    let gpsd: GPSDProcess
    private let folder = "/tmp/locwatch-\(UUID().uuidString)"
    private let feedings: [Feeding]

    init() async throws {
      first = try SimulatedReceiver(.standing)
      let link = folder + "/" + String(repeating: "x", count: 99 - folder.utf8.count)
      second = try SimulatedReceiver(
        .quick(Phase(1, .twoDimensional), route: south), link: link)
      gpsd = try await GPSDProcess.start([first.path, second.path])
      feedings = [Feeding(first), Feeding(second)]
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var address: String { "127.0.0.1:\(gpsd.port)" }
  }

  @Test func `keeps the fixes apart`() async throws {
    let pair = try await Pair()
    let locwatch = try Locwatch.start("--json", pair.address)
    var transcript = Transcript(of: locwatch)
    for path in [pair.first.path, pair.second.path] {
      for _ in 0..<10 { try await transcript.next { $0.isFix && $0.device == path } }
    }
    for record in try locwatch.output.records() {
      switch (record.device, record.state ?? record.type) {
      case (pair.first.path, "fix"):
        #expect(record.lat == 48.118633333 && record.fix == "3d" && record.altMSL == 545.4)
      case (pair.second.path, "fix"):
        #expect(abs((record.lat ?? 0) + 33.856784) < 1e-8)
        #expect(record.fix == "2d" && record.altMSL == nil)
      // A busy machine may keep a simulated receiver silent.
      case (pair.first.path, let state): #expect(["searching", "fix-3d", "lost"].contains(state))
      case (pair.second.path, let state): #expect(["searching", "fix-2d", "lost"].contains(state))
      case (nil, let state): #expect(state == "connecting")
      case (let other, _): Issue.record("a receiver \(other ?? "") that is not there")
      }
    }
  }

  @Test(arguments: [false, true])
  func `watches the one that an option or operand names`(isOperand: Bool) async throws {
    let pair = try await Pair()
    let path = pair.second.path
    #expect(path.utf8.count == 100)
    let which = isOperand ? ["\(pair.address):\(path)"] : ["-d", path, pair.address]
    let result = try await Locwatch.run(["--json", "-n", "10"] + which)
    #expect(result.status == .exited(0))
    let devices = try Transcript.records(in: result.output).compactMap(\.device)
    #expect(Set(devices) == [path])
  }

  /// Fault 36.
  @Test func `says that one was unplugged, while the other continues`() async throws {
    let pair = try await Pair()
    let locwatch = try Locwatch.start("--json", pair.address)
    var transcript = Transcript(of: locwatch)
    // Either may have its fix first.
    var awaited: Set = ["\(pair.first.path) fix-3d", "\(pair.second.path) fix-2d"]
    while !awaited.isEmpty {
      let change = try await transcript.next { $0.state?.hasPrefix("fix") == true }
      awaited.remove("\(change.device ?? "") \(change.state ?? "")")
    }
    let pulled = ContinuousClock.now
    pair.second.unplug()
    let gone = try await transcript.state("no-device")
    #expect(gone.device == pair.second.path && ["fix-2d", "lost"].contains(gone.previous))
    expect(ContinuousClock.now - pulled, within: .seconds(4))
    for _ in 0..<10 { try await transcript.next { $0.isFix && $0.device == pair.first.path } }
    let records = try locwatch.output.records()
    let end = try #require(records.firstIndex { $0.state == "no-device" })
    #expect(!records[(end + 1)...].contains { $0.device == pair.second.path })
  }
}
