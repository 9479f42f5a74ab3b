import LocationCore

/// The run of the command: from updates to records, until what was asked for is done.
///
/// It runs on the executor that it is given, with the session on the same one.
actor WatchLoop {
  /// How long a reader that does not read is left alone.
  private static let retryWrite = Duration.milliseconds(50)

  private let executor: any SerialExecutor
  private let clock: LocationClock
  private let makeUpdates: @Sendable () -> LocationUpdateIterator
  private let follower: Follower

  init(
    source: some LocationProvider, follower: Follower, options: Options,
    executor: any SerialExecutor
  ) {
    // A recording is the same at the second try.
    let retries = options.reconnects && options.replay == nil ? RetryPolicy() : .never
    let watcher = LocationWatcher(source, stale: options.stale, retries: retries)
    makeUpdates = { watcher.makeAsyncIterator() }
    clock = source.clock
    self.follower = follower
    self.executor = executor
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
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

  /// Takes what is there as long as there is something to write, and waits only when that is out.
  ///
  /// - Returns: How it ended well; it throws how it did not.
  private func follow(
    _ updates: inout LocationUpdateIterator, with follower: inout Follower
  ) async throws(Ending) -> Ending {
    var retry: Moment?
    while true {
      let read: WatchRead
      let waits = retry != nil || !follower.hasPending
      do throws(LocationError) {
        let wake = retry ?? follower.wake(after: clock.now, waits: waits)
        read = try await updates.next(until: wake, waits: waits)
      } catch {
        throw follower.ending(error)
      }
      switch read {
      case .update(let update, let moment):
        if try follower.take(update, at: moment) { return .done }
        try follower.flushIfWorthwhile(at: moment)
        retry = nil
      case .timedOut(let moment):
        try follower.flush(at: moment)
        // Where a reader does not read, gpsd is read on.
        let isStuck = retry == nil && !waits && follower.hasPending
        retry =
          isStuck ? clock.now.advanced(by: Self.retryWrite).orEarlier(follower.deadline) : nil
        if !isStuck { try follower.expire(at: moment) }
      case .ended:
        if Task.isCancelled { return .cancelled }
        return try follower.end()
      }
    }
  }
}
