import EventLoop
import LocationCore

/// The main loop of the command: takes updates, and hands them to a follower until the run is done.
///
/// While the reader of the output is behind, gpsd is not read either: the reports wait in the socket,
/// and a reader of ordinary speed misses none. A reader that stays behind is overtaken: gpsd is read
/// again, so that the states go on, and the follower drops what the reader cannot take.
struct WatchLoop<Feed: UpdateFeed, Follower: FeedFollower> where Follower.News == Feed.News {
  /// How long gpsd is not read because of a reader that is behind.
  private let maximumPause: Duration
  /// How long to wait before the next write to a reader that was overtaken.
  private var writeRetryInterval: Duration { .milliseconds(50) }

  private let loop: EventLoop
  private let clock: LocationClock
  /// Whether the source never waits for a report. If so, many records are written at once.
  private let neverWaits: Bool
  private var feed: Feed
  private(set) var follower: Follower
  /// When gpsd is read again although the reader is behind; `nil` while it keeps up.
  private var endOfPause: Moment?
  /// When the run ended; `nil` before.
  private(set) var end: Moment?

  /// - Parameter clock: The clock of the feed.
  init(
    feed: Feed, clock: LocationClock, neverWaits: Bool = false, follower: Follower,
    options: Options, on loop: EventLoop
  ) {
    self.feed = feed
    self.clock = clock
    // A pause must not look like silence of the receiver.
    maximumPause = min(.seconds(1), options.stale.map { $0 / 4 } ?? .seconds(1))
    self.neverWaits = neverWaits
    self.follower = follower
    self.loop = loop
  }

  /// Runs to the end, and returns how the run ended.
  mutating func run() async -> Ending {
    follower.begin(at: clock.now)
    var ending: Ending
    do throws(Ending) {
      // Write the beginning of a document now, so that the file is valid from the start.
      try follower.flush(at: clock.now)
      ending = try await processUpdates()
    } catch {
      ending = error
    }
    let end = clock.now
    self.end = end
    await feed.close()
    do throws(OutputError) {
      try follower.finish(at: end, waitsForReader: ending.isGood)
    } catch {
      ending = ending.unfinished(error)
    }
    return ending
  }

  /// Processes all queued updates, flushes the output, and then waits for the next update.
  ///
  /// - Returns: The ending of a successful run.
  /// - Throws: The ending of a failed one.
  private mutating func processUpdates() async throws(Ending) -> Ending {
    var latest = clock.now
    while true {
      let read: TimedRead<Feed.News>
      if let pause = pauseForReader() {
        read = await waitForReader(of: pause.output, until: pause.end)
      } else if let queued = feed.nextQueued(until: follower.deadline) {
        read = queued
      } else {
        if !neverWaits, follower.hasPending {
          try follower.flush(at: latest)
          if pauseForReader() != nil { continue }
        }
        read = try await nextUpdate()
      }
      if let ending = try take(read, &latest) { return ending }
    }
  }

  /// Returns the output whose reader is behind, and when to stop waiting for it; `nil` if the reader
  /// keeps up or was overtaken.
  private mutating func pauseForReader() -> (output: Descriptor, end: Moment)? {
    guard let output = follower.blockedOutput else {
      endOfPause = nil
      return nil
    }
    let now = clock.now
    let end = endOfPause ?? now.advanced(by: maximumPause)
    endOfPause = end
    return now < end ? (output, end) : nil
  }

  /// Waits until the reader has taken something, or the pause or the run is over.
  private func waitForReader(
    of output: Descriptor, until pause: Moment
  ) async -> TimedRead<Feed.News> {
    let reader = WaitPoint(on: loop, descriptor: output.number, for: .writing)
    let wake = pause.earlier(of: follower.deadline)
    let outcome = await reader.wait(until: wake)
    if Task.isCancelled { return .ended }
    // The clock of a recording run counts whole milliseconds, and may be behind the loop's.
    return .timedOut(at: outcome == .timedOut ? max(clock.now, wake) : clock.now)
  }

  private mutating func nextUpdate() async throws(Ending) -> TimedRead<Feed.News> {
    let clock = clock
    var wake = follower.wake(after: clock.now)
    if follower.blockedOutput != nil {
      wake = clock.now.advanced(by: writeRetryInterval).earlier(of: wake)
    }
    do throws(LocationError) {
      return try await feed.next(until: wake)
    } catch {
      throw follower.ending(error)
    }
  }

  private mutating func take(
    _ read: TimedRead<Feed.News>, _ latest: inout Moment
  ) throws(Ending) -> Ending? {
    switch read {
    case .value(let news, let moment):
      latest = moment
      if try follower.take(news, at: moment) { return .done }
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
