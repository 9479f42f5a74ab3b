import EventLoop
import GPSDLocation
import LocationCore
import LocwatchSystem
import LocwatchTerminal

/// The main loop of the command: the only place where a run waits. It polls the sources that have something, or whose
/// deadline has passed, and passes their news to the sources until the run is done.
///
/// While the reader of the output is behind, the loop does not read gpsd. Reports wait in the socket, so a
/// reader that soon catches up misses none. If the reader stays behind, the loop reads gpsd again to keep
/// the states up to date, and the output drops what the reader cannot take.
struct RunLoop {
  /// How long the loop stops reading gpsd for a reader that is behind.
  private let maximumPause: Duration
  /// How long to wait before the next write to a reader that has stayed behind.
  private var writeRetryInterval: Duration { .milliseconds(50) }

  private let loop: EventLoop
  private let clock: LocationClock
  /// Whether the source never waits for a report. If so, many records are written at once.
  private let neverWaits: Bool
  /// Controls the replay; `nil` if nobody does.
  private let control: ReplayClock?
  /// The sources that are added during the run; `nil` for a single one.
  private let newSources: NewSources?
  /// Whether only the lines of several recorded sources tell how much time has passed.
  private let isTimedByLines: Bool
  private var polled: PolledSources
  private(set) var sources: RunSources
  /// When to read gpsd again even if the reader is still behind; `nil` while the reader keeps up.
  private var endOfPause: Moment?
  /// When the run ended; `nil` until then.
  private(set) var end: Moment?

  /// - Parameters:
  ///   - newSources: The sources that are added during the run; `nil` for a single one, which ``add(_:)`` adds.
  ///   - isTimedByLines: Whether only the lines of several recorded sources tell how much time has passed.
  ///   - listener: Where the loop waits.
  ///   - clock: The clock of the sources.
  ///   - control: Controls the replay; `nil` if nobody does.
  ///   - stale: The silence after which a fix is no longer current; `nil` for the library's default.
  init(
    _ sources: RunSources, newSources: NewSources? = nil, isTimedByLines: Bool = false,
    hearing listener: Listener, clock: LocationClock, neverWaits: Bool = false,
    control: ReplayClock? = nil, stale: Duration?,
    on loop: EventLoop
  ) {
    self.sources = sources
    self.newSources = newSources
    self.isTimedByLines = isTimedByLines
    polled = PolledSources(hearing: listener)
    self.clock = clock
    self.neverWaits = neverWaits
    self.control = control
    // A pause must not look like silence of the receiver.
    maximumPause = min(.seconds(1), stale.map { $0 / 4 } ?? .seconds(1))
    self.loop = loop
  }

  /// Adds a source. Its time begins now.
  mutating func add(_ source: RunSource) {
    let number = polled.add(source.updates, sources.observer(of: source))
    sources.add(source, as: number)
  }

  /// Runs to the end, and returns how the run ended.
  mutating func run() async -> RunResult {
    sources.begin(at: clock.now)
    var result: RunResult
    do throws(OutputError) {
      // Write the beginning of a document now, so that the file is valid from the start.
      try sources.flush(at: clock.now)
      result = try await handleNews()
    } catch {
      result = .output(error)
    }
    // A recording ends at the same moment as the report on its last source.
    let end = sources.end ?? clock.now
    self.end = end
    polled.close()
    do throws(OutputError) {
      try sources.finish(at: end, waitsForReader: result.isGood || sources.hasGoodEnd)
    } catch {
      result = result.unfinished(error)
    }
    return result
  }

  /// Handles all available news, flushes the output, and then waits for more.
  private mutating func handleNews() async throws(OutputError) -> RunResult {
    var latest = clock.now
    /// Whether the passage of time has had its effects since the last wait.
    var hasExpired = false
    while !Task.isCancelled {
      if addNewSources() { return .ended }
      var status = sources.output.status
      if status.isWorthFlushing {
        try sources.flush(at: latest)
        status = sources.output.status
      }
      if let pause = pause(for: status.blocked) {
        latest = await wait(for: pause.reader, until: pause.end)
        polled.advance(to: latest)
        if let result = try expire(at: latest) { return result }
        continue
      }
      // A single source may read on until something else is due.
      if newSources == nil { polled.horizon = wake(after: latest, status) }
      if let (news, moment) = polled.next() {
        if let result = try handle(news, at: moment) { return result }
        latest = moment
        continue
      }
      // Several recorded sources are read one after another at the same moment.
      if isTimedByLines, polled.listener.hasHeard {
        polled.gather(at: clock.now)
        continue
      }
      if !neverWaits, status.hasPending {
        try sources.flush(at: latest)
        status = sources.output.status
        if pause(for: status.blocked) != nil { continue }
      }
      let now = clock.now
      let wake = wake(after: now, status)
      if let wake, wake <= now, !hasExpired, !hasLines(at: now) {
        (hasExpired, latest) = (true, now)
        if let result = try expire(at: now) { return result }
        continue
      }
      await clock.wait(until: end(ofWaitUntil: wake), hearing: polled.listener)
      hasExpired = false
      if control?.needsPass == true { return .ended }
      let found = clock.now
      polled.gather(at: found)
      if !polled.areReady { latest = found }
    }
    return .cancelled
  }

  /// Returns whether several recorded sources have more lines of a moment, which come before what is due then.
  private func hasLines(at moment: Moment) -> Bool {
    isTimedByLines && polled.deadline.map { $0 <= moment } ?? false
  }

  /// Returns when a wait has to end; `nil` for never. The time of several recorded sources passes with their lines.
  private func end(ofWaitUntil wake: Moment?) -> Moment? {
    guard let deadline = polled.deadline else { return isTimedByLines ? nil : wake }
    return isTimedByLines ? deadline : deadline.earlier(of: wake)
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

  /// Waits until the reader has taken something, or the pause or the run is over. Returns the current moment.
  private func wait(for reader: Descriptor, until pause: Moment) async -> Moment {
    let point = WaitPoint(on: loop, descriptor: reader.number, for: .writing)
    let wake = pause.earlier(of: sources.deadline)
    let outcome = await point.wait(until: wake)
    // The clock of a recording run counts whole milliseconds, and may be behind the loop's.
    return outcome == .timedOut ? max(clock.now, wake) : clock.now
  }

  /// Returns when to stop waiting for news.
  private mutating func wake(after now: Moment, _ status: OutputStatus) -> Moment? {
    guard !isTimedByLines else { return sources.deadline }
    let wake = sources.wake(after: now, status)
    return status.blocked == nil ? wake : now.advanced(by: writeRetryInterval).earlier(of: wake)
  }

  /// Adds the sources that have appeared. Returns whether the run is over without them.
  private mutating func addNewSources() -> Bool {
    guard let newSources, newSources.haveChanged else { return false }
    for source in newSources.takeAll() { add(source) }
    if !polled.areReady { polled.gather(at: clock.now) }
    return sources.isOver
  }

  /// Handles news. For a single source, what was due before comes first; ``RunSources`` does this for several.
  private mutating func handle(
    _ news: SourceNews, at moment: Moment
  ) throws(OutputError) -> RunResult? {
    while newSources == nil, let deadline = sources.deadline, deadline < moment {
      if let result = try expire(at: deadline) { return result }
      if sources.deadline == deadline { break }
    }
    let result = try sources.handle(news, at: moment)
    closeEnded()
    return result
  }

  /// Makes the changes that only the passage of time causes. Returns how the run ends; `nil` if it continues.
  private mutating func expire(at moment: Moment) throws(OutputError) -> RunResult? {
    try sources.flush(at: moment)
    let result = try sources.expire(at: moment)
    closeEnded()
    return result
  }

  /// Closes the connections of the sources that are done.
  private mutating func closeEnded() {
    while let number = sources.takeEnded() { polled.remove(number) }
  }
}
