package import LocationCore
import Synchronization

/// Replays recordings to a single source, or to each source that they name.
///
/// It advances to the next lines or to the next deadline of a source, whichever is first. That source handles them,
/// and the others wait until it asks for more. Everything therefore happens in the recorded order, and in the same
/// way in each replay.
///
/// A recording that names its sources also has the times at which something happened without a line. The replay
/// uses these times instead of the sources' deadlines, because the live run noticed the events then.
package final class ReplayEngine: Sendable {
  /// Lines of further sources are left out.
  package static let maximumSources = 1024

  private let pace: RecordedSession.Pace
  private let realClock: LocationClock
  /// Decides when lines are due, instead of the pace; `nil` if nobody controls the replay.
  private let control: PlaybackControl?
  /// Called when a source appears; `nil` if all are known from the beginning.
  private let join: (@Sendable (ReplayEngine, String?) -> Void)?
  /// Whether there is a single source, which never waits.
  private let isDirect: Bool
  /// The size of the recordings in bytes; `nil` if it is unknown, as for a pipe.
  package let size: Int?
  private let turns: Mutex<ReplayTurns>
  /// Rung when a session was closed whose lines may be next, and no other session waits for its turn.
  private let closing = Mailbox<Void>()

  /// Replays files as if they were one.
  ///
  /// - Parameters:
  ///   - pace: The speed of the replay.
  ///   - realClock: The clock that measures a recorded pace.
  ///   - control: Decides when lines are due, instead of the pace; `nil` if nobody controls the replay.
  ///   - range: The part to replay. Earlier lines are passed on at once, at any pace.
  ///   - maximumSources: The maximum number of sources that are replayed.
  ///   - join: Called when a source appears that has no session. The replay continues when it has one. A source is
  ///     identified by its name; the lines of a run with a single source belong to a source without a name. `nil`
  ///     if there is only one source, whatever its name.
  package convenience init(
    _ files: [RecordingFile], pace: RecordedSession.Pace, realClock: LocationClock,
    control: PlaybackControl? = nil, range: RecordedRange = RecordedRange(),
    maximumSources: Int = ReplayEngine.maximumSources,
    join: (@Sendable (ReplayEngine, String?) -> Void)? = nil
  ) {
    let reader = RecordingReader(.files(files), range: range, namesSources: join != nil)
    let sizes = files.compactMap(\.size)
    // A sparse file can have nearly any size.
    let sum = sizes.reduce(Int64(0)) { $0.clampedSum(Int64($1)) }
    self.init(
      reader, pace, realClock, control,
      size: sizes.count == files.count ? Int(clamping: sum) : nil, maximumSources, join)
  }

  /// Replays the contents of a file as a single source.
  package convenience init(
    _ recording: [UInt8], pace: RecordedSession.Pace, realClock: LocationClock
  ) {
    self.init(
      RecordingReader(.bytes(recording)), pace, realClock, nil, size: recording.count, 1, nil)
  }

  private init(
    _ reader: RecordingReader, _ pace: RecordedSession.Pace, _ realClock: LocationClock,
    _ control: PlaybackControl?, size: Int?, _ maximumSources: Int,
    _ join: (@Sendable (ReplayEngine, String?) -> Void)?
  ) {
    self.pace = pace
    self.realClock = realClock
    self.control = control
    self.join = join
    self.size = size
    let turns = ReplayTurns(reader, maximumSources: maximumSources)
    isDirect = turns.isOfOne && pace == .asFastAsPossible && control == nil
    self.turns = Mutex(turns)
  }

  /// Returns a session of a source that the recording names.
  package func session(of name: String?) -> some GPSDSession {
    ReplaySession(engine: self, source: turns.withLock { $0.rejoin(name) })
  }

  /// The clock of the replay, which shows the time of the latest lines or deadline.
  ///
  /// A sleep on it takes as long as the recording at its pace. In a replay of several sources, a sleep is not possible.
  package var clock: LocationClock {
    LocationClock(
      now: { [self] in turns.withLock(\.now) }, recordedError: { [self] in clockError },
      sleepUntil: { [self] moment in
        let real = realClock.now
        let due: Moment? = turns.withLock { turns in
          guard turns.isOfOne else { return nil }
          return turns.realMoment(of: moment, at: real, pace)
        }
        guard let due, await realClock.sleep(until: due) else { throw CancellationError() }
        turns.withLock { $0.pass(to: moment) }
      })
  }

  /// The clock of a source that the recording names, which stands at its last line.
  package func clock(of name: String?) -> LocationClock {
    LocationClock(
      now: { [self] in turns.withLock { $0.now(of: name) } },
      recordedError: { [self] in clockError },
      sleepUntil: { _ in throw CancellationError() })
  }

  /// By how many seconds the clock of the machine can be wrong that made the recording; `nil` if nothing kept it right.
  /// A recording that does not say this is believed, unless it comes from the future.
  private var clockError: Double? {
    let (isSynchronized, recorded) = turns.withLock {
      ($0.reader.isClockSynchronized, $0.now.wall)
    }
    if isSynchronized == false { return nil }
    if let recorded, let now = realClock.now.wall, recorded > now.advanced(by: .seconds(86_400)) {
      return nil
    }
    return 0
  }
}

// MARK: - What is known of the recording

extension ReplayEngine {
  /// How many bytes were replayed.
  package var bytesSaid: Int { turns.withLock { $0.reader.bytesSaid } }
  /// When the part to replay begins; `nil` if that is not known yet, or if everything is replayed.
  package var beginning: Moment? { turns.withLock { $0.reader.beginning } }
  /// What is known of the part to replay; `nil` if everything is replayed.
  package var extent: RecordedExtent? { turns.withLock { $0.reader.extent } }
  /// Whether everything was read, so that no other source can appear.
  package var isOver: Bool { turns.withLock(\.isOver) }
  /// Why the recording could not be read to its end; `nil` if it could.
  package var failure: LocationError? { turns.withLock { $0.reader.failure } }
  /// Whether the replay of a single source failed because lines of another one follow.
  package var hasOtherSource: Bool { turns.withLock { $0.reader.hasOtherSource } }
  /// The contents of the files read so far; empty if the recording has no files.
  package var contents: [RecordingContents] { turns.withLock { $0.reader.contents } }
  /// The number of missing lines, according to the recording.
  package var lostLines: Int { turns.withLock { $0.reader.lostLines } }
  /// The number of lines that were left out because they are not reports and belong to no source.
  package var strayLines: Int { turns.withLock { $0.reader.strayLines } }
  /// The number of lines that locwatch wrote, and that are not understood. The time of the lines after them may be wrong.
  package var unreadOwnLines: Int { turns.withLock { $0.reader.unreadOwnLines } }
  /// How many lines of sources beyond ``maximumSources`` were left out.
  package var linesLeftOut: Int { turns.withLock(\.linesLeftOut) }
}

// MARK: - Sessions

extension ReplayEngine {
  /// Begins the replay of a recording that names its sources, which calls `join` for the first one. It continues
  /// with ``run()``.
  ///
  /// - Throws: `LocationError` if the recording cannot be read.
  package func begin() async throws(LocationError) {
    control?.beginPass(at: Moment(uptime: .zero))
    // Once there is a source, it reports later failures itself.
    if await !findNext(), let failure { throw failure }
  }

  /// Finds the next source each time a session was closed and no other waits, and returns at the end.
  package func run() async {
    while await findNext(), case .value = await closing.take() {}
  }

  /// Returns to the beginning, where the clock stands still until the first read. All sessions must be closed.
  package func rewind() {
    let real = realClock.now
    turns.withLock { $0.rewind(at: real) }
  }

  /// Begins the replay of a single source, or begins it again.
  package func restart() {
    rewind()
    control?.beginPass(at: turns.withLock(\.now))
  }

  /// Opens a session. If all sessions were closed, the replay begins again.
  fileprivate func open(_ source: Int) {
    let real = realClock.now
    turns.withLock { $0.open(source, at: real) }
  }

  fileprivate func close(_ source: Int) {
    (turns.withLock { $0.close(source) } ?? closing).send(())
  }

  /// Wakes the session of the source whose turn is next. Returns `false` at the end.
  private func findNext() async -> Bool {
    while !Task.isCancelled {
      switch turns.withLock({ $0.outlook() }) {
      case .due(let source, _, _):
        wake(source)
        return true
      case .busy: return true
      case .notYet: _ = await waitForMore(until: nil)
      case .over:
        ringEnd()
        return false
      }
    }
    return false
  }

  private func wake(_ source: Int) {
    let (bell, newName) = turns.withLock { $0.wake(source) }
    bell.send(())
    if let newName { join?(self, newName) }
  }

  private func sleep(_ source: Int) async {
    _ = await turns.withLock { $0.bell(of: source) }.take()
  }

  /// Wakes all sessions at the end, once.
  private func ringEnd() {
    for bell in turns.withLock({ $0.takeBells() }) { bell.send(()) }
    closing.send(())
  }
}

// MARK: - Reading

extension ReplayEngine {
  /// Returns the next lines of a source that were received at one moment.
  ///
  /// - Parameter deadline: When to stop waiting; `nil` waits indefinitely.
  func read(
    for source: Int, until deadline: Moment?
  ) async throws(LocationError) -> TimedRead<GPSDLines> {
    guard !isDirect else { return try await readDirectly(until: deadline) }
    turns.withLock { $0.wait(source, until: deadline) }
    while !Task.isCancelled {
      switch turns.withLock({ $0.outlook(for: source) }) {
      case .due(source, let moment, let lines):
        guard await waitUntilDue(moment, before: lines) else { return .ended }
        if let read = turns.withLock({ $0.take(for: source, at: moment) }) { return read }
      case .due(let other, _, _):
        wake(other)
        await sleep(source)
      case .busy: await sleep(source)
      case .notYet: if let read = await waitForMore(until: deadline) { return read }
      case .over:
        guard join == nil else {
          ringEnd()
          return .ended
        }
        turns.withLock { $0.end(source) }
        if let failure = turns.withLock(\.reader.failure) { throw failure }
        return .ended
      }
    }
    return .ended
  }

  private func readDirectly(
    until deadline: Moment?
  ) async throws(LocationError) -> TimedRead<GPSDLines> {
    while !Task.isCancelled {
      let read = try turns.withLock { turns throws(LocationError) in try turns.read(until: deadline)
      }
      if let read { return read }
      if let read = await waitForMore(until: deadline) { return read }
    }
    return .ended
  }

  /// Waits until more can be read. If it must not wait, it returns the result of the wait at once.
  private func waitForMore(until deadline: Moment?) async -> TimedRead<GPSDLines>? {
    guard let file = turns.withLock({ $0.fileToWaitFor() }) else {
      await Task.yield()
      return nil
    }
    if join == nil, deadline == .past { return .timedOut(at: turns.withLock(\.now)) }
    await ReadableWait(for: file).run()
    return nil
  }

  /// Waits until a turn is due. Returns `false` if the replay ends first.
  private func waitUntilDue(_ moment: Moment, before lines: Moment) async -> Bool {
    guard pace != .asFastAsPossible || control != nil else { return true }
    let real = realClock.now
    let due = turns.withLock { $0.realMoment(ofTurn: moment, before: lines, at: real, pace) }
    guard let due else { return true }
    guard let control else { return await realClock.sleep(until: due) }
    if await control.wait(for: moment, before: lines) { return true }
    guard !Task.isCancelled else { return false }
    // Another pass begins.
    turns.withLock { $0.end() }
    ringEnd()
    return false
  }
}

/// Replays the lines of one of several sources.
///
/// A session that was dropped without being closed, for example by a loop that ends early, does not delay the others.
private final class ReplaySession: GPSDSession {
  private let engine: ReplayEngine
  private let source: Int
  private let isClosed = Mutex(false)

  init(engine: ReplayEngine, source: Int) {
    self.engine = engine
    self.source = source
  }

  deinit { close() }

  var isLive: Bool { false }

  func open(_ endpoint: GPSDEndpoint) { engine.open(source) }
  func send(_ command: GPSDCommand) {}

  func close() {
    let wasClosed = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return isClosed
    }
    if !wasClosed { engine.close(source) }
  }

  func read(until deadline: Moment?) async throws(LocationError) -> TimedRead<GPSDLines> {
    try await engine.read(for: source, until: deadline)
  }
}
