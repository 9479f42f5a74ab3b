package import LocationCore
import Synchronization

/// Replays a recording, to a single source or to each source that it names.
///
/// Each source has a session. The sessions are polled by one reader, which moves the time to the next lines or to the next
/// deadline, whichever is first. Everything therefore happens in the recorded order, and in the same way in each replay.
///
/// A recording that names its sources also has the times at which something happened without a line. The replay
/// uses these times instead of the sources' deadlines, because the live run noticed the events then.
package final class Replay: Sendable {
  /// Lines of further sources are left out.
  package static let maximumSources = 1024

  /// The time of the replay.
  package let time: ReplayClock
  /// The size of the recordings in bytes; `nil` if it is unknown, as for a pipe.
  package let size: Int?
  /// Whether there is a single source and nothing takes time. It then reads ahead, and moves the time to its lines.
  private let readsAhead: Bool
  /// Called when a source appears; `nil` if there is only one, whatever its name.
  private let join: (@Sendable (Replay, String?) -> Void)?
  /// Called when everything was read, so that no other source can appear.
  private let didEnd: @Sendable () -> Void
  private let executor: (any TaskExecutor)?
  private let state: Mutex<ReplayState>
  /// Looks for the next source while none has a session, or waits for a file; `nil` for neither.
  private let task = Mutex<PolledTask<Void, Never>?>(nil)

  /// Replays files as if they were one.
  ///
  /// - Parameters:
  ///   - range: The part to replay. Earlier lines are passed on at once, at any speed.
  ///   - executor: Where files are waited for; `nil` for the shared thread pool.
  ///   - join: Called when a source appears that has no session. A source is identified by its name; the lines of a
  ///     run with a single source belong to a source without a name. `nil` if there is only one source, whatever its
  ///     name.
  ///   - didEnd: Called when everything was read, so that no other source can appear.
  package convenience init(
    _ files: [RecordingFile], by time: ReplayClock, range: RecordedRange = RecordedRange(),
    maximumSources: Int = Replay.maximumSources, on executor: (any TaskExecutor)? = nil,
    join: (@Sendable (Replay, String?) -> Void)? = nil,
    didEnd: @escaping @Sendable () -> Void = {}
  ) {
    let sizes = files.compactMap(\.size)
    // A sparse file can have nearly any size.
    let sum = sizes.reduce(Int64(0)) { $0.clampedSum(Int64($1)) }
    self.init(
      RecordingReader(.files(files), range: range, namesSources: join != nil), by: time,
      size: sizes.count == files.count ? Int(clamping: sum) : nil, maximumSources, on: executor,
      join: join, didEnd: didEnd)
  }

  /// Replays the contents of a file as a single source.
  package convenience init(_ recording: [UInt8], by time: ReplayClock) {
    self.init(RecordingReader(.bytes(recording)), by: time, size: recording.count, 1)
  }

  private init(
    _ reader: RecordingReader, by time: ReplayClock, size: Int?, _ maximumSources: Int,
    on executor: (any TaskExecutor)? = nil, join: (@Sendable (Replay, String?) -> Void)? = nil,
    didEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.time = time
    self.size = size
    self.executor = executor
    self.join = join
    self.didEnd = didEnd
    readsAhead = time.isImmediate && join == nil
    state = Mutex(ReplayState(reader, maximumSources: maximumSources))
    let now = state.withLock(\.reader.now)
    time.reach(now)
    if join == nil { time.beginWait(at: now) }
  }

  /// Returns a session of a source.
  ///
  /// - Parameter name: The name of one of several sources.
  package func session(of name: String? = nil) -> some GPSDSession {
    ReplaySession(of: self, state.withLock { $0.rejoin(name) })
  }

  /// The clock of the replay, which shows the time of the latest lines or deadline.
  ///
  /// A sleep on it takes as long as the recording at its speed. In a replay of several sources, a sleep is not possible.
  package var clock: LocationClock {
    LocationClock(
      now: { [self] in time.now }, recordedError: { [self] in clockError },
      makeSemaphore: { [self] in time.realClock.semaphore },
      move: { [self] in await move(to: $0, $1) },
      sleepUntil: { [self] moment in
        guard join == nil else { throw CancellationError() }
        try await time.sleep(until: moment)
      })
  }

  /// The clock of a source that the recording names, which stands at its last line.
  package func clock(of name: String?) -> LocationClock {
    LocationClock(
      now: { [self] in state.withLock { $0.now(of: name) } },
      recordedError: { [self] in clockError }, standsStill: true,
      sleepUntil: { _ in throw CancellationError() })
  }

  /// By how many seconds the clock of the machine can be wrong that made the recording; `nil` if nothing kept it right.
  /// A recording that does not say this is believed, unless it comes from the future.
  private var clockError: Double? {
    if state.withLock(\.reader.isClockSynchronized) == false { return nil }
    if let recorded = time.now.wall, let now = time.realClock.now.wall,
      recorded > now.advanced(by: .seconds(86_400))
    {
      return nil
    }
    return 0
  }
}

// MARK: - What is known of the recording

extension Replay {
  /// How many bytes were replayed.
  package var bytesSaid: Int { state.withLock(\.reader.bytesSaid) }
  /// When the part to replay begins; `nil` if that is not known yet, or if everything is replayed.
  package var beginning: Moment? { state.withLock(\.reader.beginning) }
  /// What is known of the part to replay; `nil` if everything is replayed.
  package var extent: RecordedExtent? { state.withLock(\.reader.extent) }
  /// Whether everything was read, so that no other source can appear.
  package var isOver: Bool { state.withLock(\.isOver) }
  /// Why the recording could not be read to its end; `nil` if it could.
  package var failure: LocationError? { state.withLock(\.reader.failure) }
  /// Whether the replay of a single source failed because lines of another one follow.
  package var hasOtherSource: Bool { state.withLock(\.reader.hasOtherSource) }
  /// The contents of the files read so far; empty if the recording has no files.
  package var contents: [RecordingContents] { state.withLock(\.reader.contents) }
  /// The number of missing lines, according to the recording.
  package var lostLines: Int { state.withLock(\.reader.lostLines) }
  /// The number of lines that were left out because they are not reports and belong to no source.
  package var strayLines: Int { state.withLock(\.reader.strayLines) }
  /// The number of lines that locwatch wrote, and that are not understood. The time of the lines after them may be wrong.
  package var unreadOwnLines: Int { state.withLock(\.reader.unreadOwnLines) }
  /// How many lines of sources beyond ``maximumSources`` were left out.
  package var linesLeftOut: Int { state.withLock(\.linesLeftOut) }
}

// MARK: - Beginning

extension Replay {
  /// Begins the replay of a recording that names its sources, which calls `join` for the first one.
  ///
  /// - Throws: `LocationError` if the recording cannot be read.
  package func begin() async throws(LocationError) {
    time.beginPass(at: Moment(uptime: .zero))
    await findSource()
    // Once there is a source, it reports later failures itself.
    if !state.withLock(\.hasSources), let failure { throw failure }
  }

  /// Returns to the beginning. All sessions must be closed.
  package func rewind() {
    task.withLock { $0 = nil }
    let now = state.withLock { state in
      state.rewind()
      return state.reader.now
    }
    time.beginPass(at: now)
    // Several sources begin with their first lines.
    if join == nil { time.beginWait(at: now) }
  }

  /// Reads on until a source has the next lines, or to the end.
  private func findSource() async {
    while !Task.isCancelled {
      switch look() {
      case .lines, .over: return
      case .pause: await Task.yield()
      case .file(let file): await ReadableWait(for: file).run()
      }
    }
  }

  /// Finds out what comes next, and wakes the source of the next lines, or all at the end.
  @discardableResult
  private func look() -> ReplayState.Outlook {
    let outlook = state.withLock { $0.outlook() }
    switch outlook {
    case .lines(let source, _):
      let (bell, newName) = state.withLock { $0.wake(source) }
      bell.ring()
      if let newName { join?(self, newName) }
    case .over:
      let (bells, now) = state.withLock { ($0.takeBells(), $0.reader.now) }
      guard join != nil, let bells else { break }
      // The lines of sources that were closed have taken time, too.
      time.reach(now)
      for bell in bells { bell.ring() }
      didEnd()
    case .pause, .file: break
    }
    return outlook
  }
}

// MARK: - Reading

extension Replay {
  /// Moves the time to a moment, when that is due.
  func move(to moment: Moment, _ listener: Listener) async {
    guard moment > time.now else {
      // A source that reads ahead, and does not pause, has more to read.
      if readsAhead, case .over = state.withLock({ $0.outlook(readsAhead: true) }) { return }
      return await Task.yield()
    }
    switch state.withLock({ $0.outlook(readsAhead: readsAhead) }) {
    case .file: await listener.wait(until: nil)
    case .lines(_, let lines) where !isBeforePart(lines):
      await advance(to: moment, before: lines, listener)
    case .over where !time.isImmediate: await advance(to: moment, before: moment, listener)
    case .lines, .over, .pause: time.advance(to: moment)
    }
  }

  /// Returns whether lines are before the part to replay, so that there is no wait for them.
  private func isBeforePart(_ moment: Moment) -> Bool {
    let (isBefore, beginning) = state.withLock { state in
      let wasInPart = state.isInPart
      let isBefore = state.isBeforePart(moment)
      return (isBefore, wasInPart != state.isInPart ? state.reader.beginning : nil)
    }
    if let beginning { time.beginWait(at: beginning) }
    return isBefore
  }

  private func advance(to moment: Moment, before lines: Moment, _ listener: Listener) async {
    guard !time.isImmediate else { return time.advance(to: moment) }
    if case .wait(let due) = time.move(to: moment, before: lines, listener) {
      await listener.wait(until: due)
    }
  }

  /// Returns the next lines of a source, if they are due by the time of the replay.
  fileprivate func poll(_ source: Int) throws(LocationError) -> Polled<GPSDLines> {
    let now = time.now
    guard !readsAhead else {
      let (polled, reached) = try state.withLock { state throws(LocationError) in
        (try state.readAhead(at: now), state.reader.now)
      }
      time.reach(reached)
      return polled
    }
    if !time.isImmediate, case .lines(source, let moment) = state.withLock({ $0.outlook() }),
      moment <= now, !isBeforePart(moment), !time.reaches(linesAt: moment)
    {
      return .quiet(at: now)
    }
    let (polled, reached) = try state.withLock { state throws(LocationError) in
      (try state.poll(source, at: now), state.reader.now)
    }
    if case .received = polled { time.reach(reached) }
    return polled
  }

  /// Returns what a source waits for that has no lines that are due.
  fileprivate func wait(_ source: Int) -> Wait {
    let outlook = readsAhead ? state.withLock { $0.outlook(readsAhead: true) } : look()
    switch outlook {
    case .lines(source, let moment): return Wait(until: moment)
    case .lines: return Wait(for: state.withLock { $0.bell(of: source) })
    case .over, .pause: return Wait(until: time.now)
    case .file(let file):
      let waiting = PolledTask<Void, Never>(on: executor) { await ReadableWait(for: file).run() }
      task.withLock { $0 = waiting }
      return Wait(for: waiting.end)
    }
  }

  fileprivate func restart() {
    guard join == nil else { return }
    rewind()
  }

  /// Closes a session, whose lines are skipped from now on.
  fileprivate func close(_ source: Int) {
    guard join != nil else { return }
    if let bell = state.withLock({ $0.close(source) }) { return bell.ring() }
    // Nobody reads on.
    let search = PolledTask<Void, Never>(on: executor) { [self] in await findSource() }
    task.withLock { $0 = search }
  }
}

/// The session of a source of a replay.
///
/// A session that was dropped without being closed, for example by a loop that ends early, does not delay the others.
private final class ReplaySession: GPSDSession {
  private let replay: Replay
  private let source: Int
  private let isClosed = Mutex(false)

  init(of replay: Replay, _ source: Int) {
    self.replay = replay
    self.source = source
  }

  deinit { close() }

  var isLive: Bool { false }

  func open(_ endpoint: GPSDEndpoint) {}
  func restart() { replay.restart() }
  func send(_ command: GPSDCommand) {}
  func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> { try replay.poll(source) }
  func wait() -> Wait { replay.wait(source) }

  func close() {
    let wasClosed = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return isClosed
    }
    if !wasClosed { replay.close(source) }
  }
}
