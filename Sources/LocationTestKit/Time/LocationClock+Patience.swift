import LocationCore
import VirtualTime

extension LocationClock {
  /// The clock for the limits of waits in tests, where the current task runs: see `Patience`.
  static var patient: LocationClock { LocationClock(Patience.current) }

  private init(_ patience: Patience) {
    self.init(
      now: { Moment(uptime: patience.now) },
      sleepUntil: { deadline in
        guard await patience.sleep(until: deadline.uptime) else { throw CancellationError() }
      })
  }

  /// Waits for a duration.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func sleep(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration))
  }

  /// Returns how long 20 turns of a task take.
  static func slack() async -> Duration {
    let start = live.now
    for _ in 0..<20 { await Task.yield() }
    return start.duration(to: live.now)
  }
}
