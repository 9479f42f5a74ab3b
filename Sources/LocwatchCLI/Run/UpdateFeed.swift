import LocationCore

/// Where the main loop takes its news from: one source, or several.
protocol UpdateFeed {
  associatedtype News

  /// Returns the next news that arrive before a deadline.
  mutating func next(until deadline: Moment?) async throws(LocationError) -> TimedRead<News>
  /// Returns news that are already there; `nil` if there are none.
  mutating func nextQueued(until deadline: Moment?) -> TimedRead<News>?
  /// Ends the connections.
  mutating func close() async
}

extension LocationUpdates.AsyncIterator: UpdateFeed {}

extension Options {
  /// Returns the updates of a source, as the run needs them.
  func updates(of source: some LocationProvider) -> LocationUpdates {
    // Reading a recording again gives the same error.
    let retries = reconnects && !isReplay ? RetryPolicy() : .never
    return source.updates(
      staleAfter: stale, retries: retries,
      unfilteredFor: LocationRequest(desiredAccuracy: accuracy))
  }
}

/// Handles the news of a feed, and decides when the run is done. It never waits.
protocol FeedFollower {
  associatedtype News

  /// Whether output or recorded lines are still unwritten.
  var hasPending: Bool { get }
  /// The output or recording whose reader is behind.
  var blockedOutput: Descriptor? { get }
  /// When ``expire(at:)`` is to be called.
  var deadline: Moment? { get }

  mutating func begin(at moment: Moment)
  /// Returns when to stop waiting for news.
  mutating func wake(after now: @autoclosure () -> Moment) -> Moment?
  /// Handles news. Returns whether the run is done.
  mutating func take(_ news: News, at moment: Moment) throws(Ending) -> Bool
  /// Logs advice if some is due.
  mutating func advise(at moment: Moment) throws(Ending)
  /// Returns whether the duration of the run has passed.
  mutating func expire(at moment: Moment) throws(Ending) -> Bool
  /// Returns how a run ends that has no more news.
  func end() throws(Ending) -> Ending
  /// Returns the ending for an error of the feed.
  func ending(_ error: LocationError) -> Ending
  /// Writes what can be written, if enough is pending.
  mutating func flushIfWorthwhile(at moment: Moment) throws(Ending)
  /// Writes what can be written.
  mutating func flush(at moment: Moment) throws(Ending)
  /// Writes the rest of a run that ended at a moment.
  mutating func finish(at moment: Moment, waitsForReader: Bool) throws(OutputError)
}

extension Follower: FeedFollower {}
