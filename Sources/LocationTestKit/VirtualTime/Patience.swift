import LocationCore

extension LocationClock {
  /// The clock for the limits of waits in tests.
  ///
  /// In virtual time, it is ``World/patientClock``. Elsewhere it waits in steps of 10 ms, and after each step it gives
  /// the tasks that are ready 20 turns. On a busy machine that runs many tests, a limit is therefore reached later. The
  /// clock always shows zero, so a wait whose task begins late is as long as any other.
  static var patient: LocationClock { World.current?.patientClock ?? realPatience }

  /// The clock that measures how long a provider takes: the machine's, or in virtual time ``World/patientClock``.
  static var measuring: LocationClock { World.current?.patientClock ?? live }

  private static let realPatience = LocationClock(
    now: { Moment(uptime: .zero) },
    sleepUntil: { deadline in
      var rest = deadline.uptime
      while rest > .zero {
        let step = min(rest, .milliseconds(10))
        guard await LocationClock.live.sleep(for: step) else { throw CancellationError() }
        rest -= step
        for _ in 0..<20 {
          await turn()
          try Task.checkCancellation()
        }
      }
    })

  /// Waits until the tasks that are ready have had a turn, including those on the main actor.
  private static func turn() async { await Task.detached { await MainActor.run {} }.value }

  /// Waits for a duration.
  ///
  /// - Returns: `false` if the task was cancelled.
  func sleep(for duration: Duration) async -> Bool {
    await sleep(until: now.advanced(by: duration))
  }

  /// Returns how long 20 turns of a task take.
  static func slack() async -> Duration {
    let start = measuring.now
    for _ in 0..<20 { await Task.yield() }
    return start.duration(to: measuring.now)
  }
}
