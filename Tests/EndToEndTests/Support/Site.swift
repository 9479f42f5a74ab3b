import DaemonHarness
import Foundation
import SimulatedReceiver

extension Site {
  /// A gpsd with a receiver that does not move.
  convenience init(link: String? = nil) async throws { try await self.init(.standing, link: link) }
}

/// Sends a receiver's epochs in time, as long as it is kept.
final class Feeding: Sendable {
  private let task: Task<Void, any Error>

  init(_ receiver: SimulatedReceiver) { task = Task { try await receiver.run() } }

  deinit { task.cancel() }
}

extension Scenario {
  /// Ten epochs a second, so that a test takes no longer than it must.
  static func quick(_ phases: Phase..., route: Route = .standing) -> Scenario {
    Scenario(
      name: "quick", summary: "ten epochs a second", intervalMilliseconds: 100, route: route,
      phases: phases)
  }

  /// A 3D fix that does not move.
  static let standing = quick(Phase(1, .threeDimensional))

  /// No fix.
  static let underground = quick(Phase(1, .searching(inView: 2)))
}

extension Scenario {
  /// Where the receiver is at a time of this scenario, as gpsd writes times.
  func place(at time: String) -> ReceiverPlace? {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    guard let date = try? format.parse(time),
      let start = try? format.parse("2026-11-20T07:05:00.000Z")
    else { return nil }
    let milliseconds = (date.timeIntervalSince(start) * 1000).rounded()
    return epoch(at: Int(milliseconds) / Int(intervalMilliseconds))?.place
  }
}
