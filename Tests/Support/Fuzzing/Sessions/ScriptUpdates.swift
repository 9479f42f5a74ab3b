import GPSDLocation
import LocationCore
import LocationTestKit
import TestSupport

/// The updates of a script, which is followed live or replayed as a recording.
struct ScriptUpdates {
  private let clock: LocationClock
  private let isLive: Bool
  /// What takes no time of the clock is done before a wait, which takes none of the machine's.
  private let executor = OneAtATime()
  private var iterator: LocationUpdates.AsyncIterator
  private var now: Moment

  /// - Parameter kinds: The reports to pass on.
  init(
    _ script: FuzzScript, kinds: Set<ServiceReport.Kind> = [], _ random: inout SeededRandom
  ) {
    let stale: Duration? = random.happens(onceIn: 2) ? .seconds(2) : nil
    let retries = RetryPolicy.repeatable(seed: random.next())
    isLive = random.happens(onceIn: 2)
    if isLive {
      let fuzzClock = FuzzClock()
      clock = fuzzClock.locationClock(wallError: script.isOdd ? 0 : nil)
      let session = ScriptSession(script, clock: fuzzClock)
      let source = GPSDLocationSource(
        kinds: kinds, satellites: true, clock: clock, executor: executor,
        makeSession: { session })
      iterator = source.updates(staleAfter: stale, retries: retries).makeAsyncIterator()
    } else {
      let bytes = script.recording(isStamped: random.happens(onceIn: 2))
      let session = RecordedSession(
        Replay(bytes, by: ReplayClock(speed: .maximum, realClock: .live)))
      clock = session.clock
      let source = GPSDLocationSource(replaying: session, kinds: kinds)
      iterator = source.updates(staleAfter: stale, retries: retries).makeAsyncIterator()
    }
    now = clock.now
  }

  /// The end of the observation.
  var end: Moment { max(now, clock.now) }

  /// Returns the next update and its moment, which can be earlier than that of the update before, as the
  /// command gets them; `nil` at the end.
  ///
  /// - Parameter pause: Called at the moment of a pause in which there was none.
  mutating func next(
    pause: (Moment) -> Void = { _ in }
  ) async throws -> (update: LocationUpdate, moment: Moment)? {
    var patience = Duration.seconds(1)
    while true {
      // A recording can be silent for years.
      let deadline = isLive ? now.advanced(by: patience) : nil
      let read = try await withTaskExecutorPreference(executor) {
        try await iterator.next(until: deadline)
      }
      switch read {
      case .value(let update, let moment):
        now = max(now, moment)
        return (update, moment)
      case .timedOut(let moment):
        now = max(now, moment)
        pause(now)
        patience = min(patience * 2, .seconds(3600))
      case .ended:
        iterator.close()
        return nil
      }
    }
  }
}
