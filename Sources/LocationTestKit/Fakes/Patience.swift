import LocationCore

extension LocationClock {
  /// The machine's clock for the limits of waits in tests.
  ///
  /// When a deadline has passed, tasks that are ready get 100 turns more: where a busy machine runs many
  /// tests at once, a task may wait for its turn for longer than the limit.
  static let patient = LocationClock(
    now: { LocationClock.live.now },
    sleepUntil: { deadline in
      guard await LocationClock.live.sleep(until: deadline) else { throw CancellationError() }
      for _ in 0..<100 {
        await Task.yield()
        try Task.checkCancellation()
      }
    })

  /// Waits for a duration.
  ///
  /// - Returns: `false` if the task was cancelled.
  func sleep(for duration: Duration) async -> Bool {
    await sleep(until: now.advanced(by: duration))
  }

  /// Returns how long this machine takes for 20 turns of a task.
  static func slack() async -> Duration {
    let start = live.now
    for _ in 0..<20 { await Task.yield() }
    return start.duration(to: live.now)
  }
}
