import DaemonHarness
import Foundation
import SimulatedReceiver

/// A real gpsd, and a simulated receiver behind it that goes through its scenario in time.
final class Site: Sendable {
  let receiver: SimulatedReceiver
  let gpsd: GPSDProcess
  private let feeding: Task<Void, any Error>

  init(_ scenario: Scenario = .standing, link: String? = nil) async throws {
    let receiver = try SimulatedReceiver(scenario, link: link)
    self.receiver = receiver
    gpsd = try await GPSDProcess.start([receiver.path])
    feeding = Task { try await receiver.run() }
  }

  deinit { feeding.cancel() }

  /// What to give to locwatch.
  var address: String { "127.0.0.1:\(gpsd.port)" }

  /// Lets a fault last for so long by the time of the receiver: until that has sent, to whomever, as
  /// many epochs.
  func pass(_ duration: Duration) async throws {
    let end = receiver.nextEpoch + Int((duration / receiver.interval).rounded(.up))
    // A machine with much to do keeps the receiver from being in time.
    try await waitUntil("epoch \(end)", timeout: duration * 10) { receiver.nextEpoch >= end }
  }
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
