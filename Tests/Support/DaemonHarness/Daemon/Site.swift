package import SimulatedReceiver

/// A real gpsd with simulated receivers that run a scenario in real time.
package final class Site: Sendable {
  package let receivers: [SimulatedReceiver]
  package let gpsd: GPSDProcess
  private let feeding: [Task<Void, any Error>]

  /// - Parameters:
  ///   - count: How many receivers there are, in step with each other.
  ///   - link: The path of the first receiver, which stays the same over a replug.
  ///   - program: The gpsd; `nil` for the one that is installed.
  ///   - port: Where it listens; 0 for a free port.
  package init(
    _ scenario: Scenario, receivers count: Int = 1, link: String? = nil, program: String? = nil,
    port: Int = 0
  ) async throws {
    let receivers = try (0..<count).map { index throws(SystemError) in
      try SimulatedReceiver(scenario, link: index == 0 ? link : nil)
    }
    self.receivers = receivers
    gpsd = try await GPSDProcess.start(receivers.map(\.path), program: program, port: port)
    feeding = receivers.map { receiver in Task { try await receiver.run() } }
  }

  deinit { for task in feeding { task.cancel() } }

  /// The first receiver, or the only one.
  package var receiver: SimulatedReceiver { receivers[0] }

  /// What to give to locwatch.
  package var address: String { "127.0.0.1:\(gpsd.port)" }

  /// Waits until gpsd has reported a position of each receiver.
  package func waitForPositions(timeout: Duration = .seconds(120)) async throws {
    let client = try LoopbackClient(port: gpsd.port)
    try client.send(#"?WATCH={"enable":true,"json":true};"#)
    let heads = receivers.map { #"{"class":"TPV","device":"\#($0.path)","# }
    try await waitUntil("position of each receiver", timeout: timeout) {
      try gpsd.checkRunning()
      let positions = client.output.lines.filter { $0.contains(#""lat":"#) }
      return heads.allSatisfy { head in positions.contains { $0.hasPrefix(head) } }
    }
  }

  /// Lets a fault last for so long, by the clock and by the time of the receiver: until that has sent, to whomever, as
  /// many epochs.
  package func pass(_ duration: Duration) async throws {
    let start = ContinuousClock.now
    let end = receiver.nextEpoch + Int((duration / receiver.interval).rounded(.up))
    // On a machine with much to do, the receiver is late, and sends faster once it can.
    try await waitUntil("epoch \(end)", timeout: duration * 10) {
      receiver.nextEpoch >= end && ContinuousClock.now - start >= duration
    }
  }
}
