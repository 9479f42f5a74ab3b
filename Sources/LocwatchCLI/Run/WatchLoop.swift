import LocationCore

/// The run of the command: from updates to records, until what was asked for is done.
///
/// It runs on the executor that it is given, with the session on the same one.
@safe actor WatchLoop {
  /// How long a reader that does not read is left alone.
  private static let retryWrite = Duration.milliseconds(50)

  private let executor: any SerialExecutor
  nonisolated let unownedExecutor: UnownedSerialExecutor
  private let clock: LocationClock
  private let makeUpdates: @Sendable () -> LocationUpdateIterator
  private let follower: Follower

  init(
    source: some LocationProvider, follower: Follower, options: Options,
    executor: any SerialExecutor
  ) {
    // A recording is the same at the second try.
    let retries = options.reconnects && !options.isReplay ? RetryPolicy() : .never
    var watcher = LocationWatcher(source, stale: options.stale, retries: retries)
    watcher.needsAccuracy = options.accuracy != nil
    makeUpdates = { [watcher] in watcher.makeAsyncIterator() }
    clock = source.clock
    self.follower = follower
    self.executor = executor
    unsafe unownedExecutor = executor.asUnownedSerialExecutor()
  }

  func run() async -> (ending: Ending, counts: Follower.Counts) {
    // Both are the function's own: what an actor stores is guarded at each access.
    var updates = makeUpdates()
    var follower = follower
    follower.begin(at: clock.now)
    var ending: Ending
    do throws(Ending) {
      // A document is valid from its beginning on.
      try follower.flush(at: clock.now)
      ending = try await follow(&updates, with: &follower)
    } catch {
      ending = error
    }
    await updates.close()
    do throws(OutputError) {
      try follower.finish(waitsForReader: ending.isGood)
    } catch {
      if ending.isGood { ending = .output(error) }
    }
    return (ending, follower.counts)
  }

  /// Takes what is there, writes what that gives, and waits only when that is out.
  ///
  /// - Returns: How it ended well; it throws how it did not.
  private func follow(
    _ updates: inout LocationUpdateIterator, with follower: inout Follower
  ) async throws(Ending) -> Ending {
    var latest = clock.now
    /// When to try again to write what a reader did not take.
    var retry: Moment?
    while true {
      if let read = updates.nextBuffered(until: follower.deadline) {
        retry = nil
        if let ending = try take(read, &latest, with: &follower) { return ending }
        continue
      }
      if retry == nil, follower.hasPending {
        try follower.flush(at: latest)
        // Where a reader does not read, gpsd is read on.
        if follower.hasPending { retry = clock.now.advanced(by: Self.retryWrite) }
      }
      let read: WatchRead
      do throws(LocationError) {
        let wake = follower.wake(after: clock.now)
        read = try await updates.next(until: retry?.orEarlier(wake) ?? wake)
      } catch {
        throw follower.ending(error)
      }
      retry = nil
      if let ending = try take(read, &latest, with: &follower) { return ending }
    }
  }

  private func take(
    _ read: WatchRead, _ latest: inout Moment, with follower: inout Follower
  ) throws(Ending) -> Ending? {
    switch read {
    case .update(let update, let moment):
      latest = moment
      if try follower.take(update, at: moment) { return .done }
      try follower.advise(at: moment)
      try follower.flushIfWorthwhile(at: moment)
    case .timedOut(let moment):
      latest = moment
      try follower.flush(at: moment)
      if try follower.expire(at: moment) { return .done }
      try follower.advise(at: moment)
    case .ended:
      return Task.isCancelled ? .cancelled : try follower.end()
    }
    return nil
  }
}
