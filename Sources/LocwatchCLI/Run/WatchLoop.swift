import EventLoop
import LocationCore
import LocwatchSystem
import LocwatchTerminal

/// The main loop of the command, which passes news to a watch until the run is done.
///
/// While the reader of the output is behind, the loop does not read gpsd. Reports wait in the socket, so a
/// reader that soon catches up misses none. If the reader stays behind, the loop reads gpsd again to keep
/// the states up to date, and the watch drops what the reader cannot take.
struct WatchLoop<Feed: WatchFeed> {
  /// How long the loop stops reading gpsd for a reader that is behind.
  private let maximumPause: Duration
  /// How long to wait before the next write to a reader that has stayed behind.
  private var writeRetryInterval: Duration { .milliseconds(50) }

  private let loop: EventLoop
  private let interruption: Interruption
  private let clock: LocationClock
  /// Whether the source never waits for a report. If so, many records are written at once.
  private let neverWaits: Bool
  private var feed: Feed
  private(set) var watch: Watch
  /// When to read gpsd again even if the reader is still behind; `nil` while the reader keeps up.
  private var endOfPause: Moment?
  /// When the run ended; `nil` until then.
  private(set) var end: Moment?

  /// - Parameters:
  ///   - clock: The clock of the feed.
  ///   - stale: The silence after which a fix is no longer current; `nil` for the library's default.
  ///   - interruption: Ends a wait when the task is cancelled.
  init(
    feed: Feed, clock: LocationClock, neverWaits: Bool = false, watch: Watch, stale: Duration?,
    interruption: Interruption = Interruption(), on loop: EventLoop
  ) {
    self.feed = feed
    self.clock = clock
    // A pause must not look like silence of the receiver.
    maximumPause = min(.seconds(1), stale.map { $0 / 4 } ?? .seconds(1))
    self.neverWaits = neverWaits
    self.watch = watch
    self.interruption = interruption
    self.loop = loop
  }

  /// Runs to the end, and returns how the run ended.
  mutating func run() async -> RunResult {
    watch.begin(at: clock.now)
    var result: RunResult
    do throws(OutputError) {
      // Write the beginning of a document now, so that the file is valid from the start.
      try watch.flush(at: clock.now)
      result = try await handleNews()
    } catch {
      result = .output(error)
    }
    // A recording ends at the same moment as the report on its last source.
    let end = watch.end ?? clock.now
    self.end = end
    await feed.close()
    do throws(OutputError) {
      try watch.finish(at: end, waitsForReader: result.isGood || watch.hasGoodEnd)
    } catch {
      result = result.unfinished(error)
    }
    return result
  }

  /// Handles all available news, flushes the output, and then waits for more.
  private mutating func handleNews() async throws(OutputError) -> RunResult {
    var latest = clock.now
    while true {
      var status = watch.output.status
      if status.isWorthFlushing {
        try watch.flush(at: latest)
        status = watch.output.status
      }
      let read: TimedRead<FleetNews>
      if let pause = pause(for: status.blocked) {
        read = await wait(for: pause.reader, until: pause.end)
      } else if let polled = feed.poll(until: watch.deadline) {
        read = polled
      } else {
        if !neverWaits, status.hasPending {
          try watch.flush(at: latest)
          status = watch.output.status
          if pause(for: status.blocked) != nil { continue }
        }
        let wake = wake(isBlocked: status.blocked != nil)
        if let wait = feed.arrival(before: wake), await interruption.hasCome(wait),
          !Task.isCancelled
        {
          continue
        }
        read = await feed.next(until: wake)
      }
      if let result = try handle(read, &latest) { return result }
    }
  }

  /// Returns the output whose reader is behind, and when to stop waiting for it; `nil` if the reader
  /// keeps up, or if the pause is over.
  private mutating func pause(for reader: Descriptor?) -> (reader: Descriptor, end: Moment)? {
    guard let reader else {
      endOfPause = nil
      return nil
    }
    let now = clock.now
    let end = endOfPause ?? now.advanced(by: maximumPause)
    endOfPause = end
    return now < end ? (reader, end) : nil
  }

  /// Waits until the reader has taken something, or the pause or the run is over.
  private func wait(for reader: Descriptor, until pause: Moment) async -> TimedRead<FleetNews> {
    let point = WaitPoint(on: loop, descriptor: reader.number, for: .writing)
    let wake = pause.earlier(of: watch.deadline)
    let outcome = await point.wait(until: wake)
    if Task.isCancelled { return .ended }
    // The clock of a recording run counts whole milliseconds, and may be behind the loop's.
    return .timedOut(at: outcome == .timedOut ? max(clock.now, wake) : clock.now)
  }

  /// Returns when to stop waiting for news. It is mutating only to be called in place.
  private mutating func wake(isBlocked: Bool) -> Moment? {
    let now = clock.now
    let wake = watch.wake(after: now)
    return isBlocked ? now.advanced(by: writeRetryInterval).earlier(of: wake) : wake
  }

  private mutating func handle(
    _ read: TimedRead<FleetNews>, _ latest: inout Moment
  ) throws(OutputError) -> RunResult? {
    switch read {
    case .value(let news, let moment):
      latest = moment
      return try watch.handle(news, at: moment)
    case .timedOut(let moment):
      latest = moment
      try watch.flush(at: moment)
      return try watch.expire(at: moment)
    case .ended:
      return .cancelled
    }
  }
}
