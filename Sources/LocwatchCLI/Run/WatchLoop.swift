import LocationCore

/// The main loop of the command: takes updates, and hands them to a follower until the run is done.
struct WatchLoop {
  /// How long to wait before the next write to a reader that does not read.
  private static let writeRetryInterval = Duration.milliseconds(50)

  private let clock: LocationClock
  /// Whether the source never waits for a report. If so, many records are written at once.
  private let neverWaits: Bool
  private var updates: LocationUpdates.AsyncIterator
  private var follower: Follower

  init(
    source: some LocationProvider, neverWaits: Bool = false, follower: Follower, options: Options
  ) {
    // Reading a recording again gives the same error.
    let retries = options.reconnects && !options.isReplay ? RetryPolicy() : .never
    updates = source.updates(
      staleAfter: options.stale, retries: retries, needsAccuracy: options.accuracy != nil
    ).makeAsyncIterator()
    clock = source.clock
    self.neverWaits = neverWaits
    self.follower = follower
  }

  mutating func run() async -> (ending: Ending, counts: Follower.Counts) {
    follower.begin(at: clock.now)
    var ending: Ending
    do throws(Ending) {
      // Write the beginning of a document now, so that the file is valid from the start.
      try follower.flush(at: clock.now)
      ending = try await processUpdates()
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

  /// Processes all queued updates, flushes the output, and then waits for the next update.
  ///
  /// - Returns: The ending of a successful run.
  /// - Throws: The ending of a failed one.
  private mutating func processUpdates() async throws(Ending) -> Ending {
    var latest = clock.now
    /// When to try the next write to a blocked reader.
    var retry: Moment?
    while true {
      if let read = updates.nextQueued(until: follower.deadline) {
        retry = nil
        if let ending = try take(read, &latest) { return ending }
        continue
      }
      if retry == nil, !neverWaits, follower.hasPending {
        try follower.flush(at: latest)
        // gpsd is read even while the reader of the output is blocked.
        if follower.hasPending { retry = clock.now.advanced(by: Self.writeRetryInterval) }
      }
      let read: TimedRead<LocationUpdate>
      do throws(LocationError) {
        let clock = clock
        let wake = follower.wake(after: clock.now)
        read = try await updates.next(until: retry?.earlier(of: wake) ?? wake)
      } catch {
        throw follower.ending(error)
      }
      retry = nil
      if let ending = try take(read, &latest) { return ending }
    }
  }

  private mutating func take(
    _ read: TimedRead<LocationUpdate>, _ latest: inout Moment
  ) throws(Ending) -> Ending? {
    switch read {
    case .value(let update, let moment):
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
