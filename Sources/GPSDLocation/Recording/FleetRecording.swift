package import LocationCore
import Synchronization

/// A recording of several sources, each of which is replayed by a session of its own.
///
/// The sessions take turns in the order of the recording: a session that asks for lines waits until
/// those of the others before them were handled. So everything happens in the order in which it
/// happened.
///
/// A source is known by its name. What a run of a single source recorded has none, and so is one source
/// without a name.
package final class FleetRecording: Sendable {
  /// The lines of more sources are left out: a recording may name another one in each line.
  package static let maximumSources = 8192

  fileprivate struct State {
    var reader: RecordingReader
    let maximumSources: Int
    /// The next lines; `nil` if they have to be read.
    var next: (source: String?, lines: GPSDLines, moment: Moment)?
    var isOver = false
    /// The sources whose time has still to pass to the end of the part that is replayed; `nil` before it.
    var lateSources: [String?]?
    /// Why the recording could not be read to its end.
    var failure: GPSDError?
    /// Whether all sessions were woken for the end.
    var hasRungEnd = false
    /// The source that handles lines, and has not asked for more.
    var active: String??
    /// What wakes the session of each source that has appeared.
    var bells: [String?: Mailbox<Void>] = [:]
    /// Those whose session was closed. Their lines are skipped.
    var closed: Set<String?> = []
    /// How many lines were left out because there are too many sources.
    var linesLeftOut = 0
    /// The time of each source.
    var times: [String?: Moment] = [:]
    /// When the first lines were due.
    var start: (real: Moment, recorded: Moment)?

    init(_ files: [RecordingFile], _ range: RecordedRange, maximumSources: Int) {
      reader = RecordingReader(.files(files), range: range)
      self.maximumSources = maximumSources
    }
  }

  private let speed: Double?
  private let realClock: LocationClock
  /// Decides when lines are due, instead of the speed; `nil` if nobody controls the replay.
  private let control: PlaybackControl?
  private let files: [RecordingFile]
  private let range: RecordedRange
  private let join: @Sendable (FleetRecording, String?) -> Void
  private let state: Mutex<State>
  /// Rung when a session was closed, whose lines may be next.
  private let closing = Mailbox<Void>()

  /// - Parameters:
  ///   - speed: A multiple of the recorded speed; `nil` to replay without waiting.
  ///   - realClock: The clock of that speed.
  ///   - control: Decides when lines are due, instead of the speed; `nil` if nobody controls the replay.
  ///   - range: The part to replay. What is before it is passed on at once, at any speed.
  ///   - maximumSources: How many sources are replayed.
  ///   - join: Called when a source appears that has no session. The replay goes on when it has one.
  package init(
    _ files: [RecordingFile], speed: Double?, realClock: LocationClock,
    control: PlaybackControl? = nil, range: RecordedRange = RecordedRange(),
    maximumSources: Int = FleetRecording.maximumSources,
    join: @escaping @Sendable (FleetRecording, String?) -> Void
  ) {
    self.speed = speed
    self.realClock = realClock
    self.control = control
    self.files = files
    self.join = join
    self.range = range
    state = Mutex(State(files, range, maximumSources: maximumSources))
  }

  /// Begins the replay, which calls `join` for the first source. It goes on with ``run()``.
  ///
  /// - Throws: ``GPSDError`` if the recording cannot be read.
  package func begin() async throws(GPSDError) {
    control?.beginPass(at: Moment(uptime: .zero))
    // Once there is a source, it may meet a failure that comes later.
    if await !findNext(), let failure { throw failure }
  }

  /// Returns to the beginning, after all sessions were closed.
  package func rewind() {
    for file in files { file.rewind() }
    state.withLock { $0 = State(files, range, maximumSources: $0.maximumSources) }
  }

  /// Finds the next source each time a session was closed, and returns at the end. Without it, no other
  /// session may be there to do so.
  package func run() async {
    while await findNext(), case .value = await closing.take() {}
  }

  /// Returns a session of a source.
  package func session(of source: String?) -> some GPSDSession {
    state.withLock { _ = $0.closed.remove(source) }
    return FleetSession(recording: self, source: source)
  }

  /// When the part to replay begins; `nil` if that is not known yet, or if everything is replayed.
  package var beginning: Moment? { state.withLock(\.reader.beginning) }
  /// What is known of the part to replay; `nil` if everything is replayed.
  package var extent: RecordedExtent? { state.withLock(\.reader.extent) }

  /// Whether everything was read, so that no other source can appear.
  package var isOver: Bool { state.withLock(\.isOver) }
  /// Why the recording could not be read to its end; `nil` if it could.
  package var failure: GPSDError? { state.withLock(\.failure) }
  /// The contents of the files read so far.
  package var contents: [RecordingContents] { state.withLock(\.reader.contents) }
  /// How many lines are missing, as far as the recording says so.
  package var lostLines: Int { state.withLock(\.reader.lostLines) }
  /// How many lines that are no reports belong to no source, and were left out.
  package var strayLines: Int { state.withLock(\.reader.strayLines) }
  /// How many lines were left out because they are those of more than ``maximumSources`` sources.
  package var linesLeftOut: Int { state.withLock(\.linesLeftOut) }

  /// The clock of the whole recording, which stands at the last line.
  package var clock: LocationClock {
    LocationClock(
      now: { [self] in state.withLock(\.reader.now) },
      sleepUntil: { _ in throw CancellationError() })
  }

  /// The clock of a source, which stands at its last line.
  package func clock(of source: String?) -> LocationClock {
    LocationClock(
      now: { [self] in state.withLock { $0.times[source] ?? $0.next?.moment ?? $0.reader.now } },
      sleepUntil: { _ in throw CancellationError() })
  }

  fileprivate func read(for source: String?) async -> TimedRead<GPSDLines> {
    state.withLock { if $0.active == .some(source) { $0.active = nil } }
    guard await turn(of: source), !Task.isCancelled else { return .ended }
    guard let (lines, moment) = state.withLock({ $0.take(for: source) }) else { return .ended }
    return lines.bytes.isEmpty && lines.discardedBytes == 0
      ? .timedOut(at: moment) : .value(lines, at: moment)
  }

  fileprivate func close(_ source: String?) {
    state.withLock { state in
      state.closed.insert(source)
      if state.active == .some(source) { state.active = nil }
    }
    closing.send(())
  }

  /// Waits until the next lines are those of a source. Returns `false` at the end.
  private func turn(of source: String?) async -> Bool {
    while !Task.isCancelled {
      switch state.withLock({ $0.outlook() }) {
      case .over:
        ringEnd()
        return false
      case .due(source, let moment):
        return await waitUntilDue(moment)
      case .due(let other, _):
        wake(other)
        await wait(as: source)
      case .busy:
        await wait(as: source)
      case .notYet(let file):
        await waitForMore(of: file)
      }
    }
    return false
  }

  /// Wakes the session of the source whose lines are next. Returns `false` at the end.
  @discardableResult
  private func findNext() async -> Bool {
    while !Task.isCancelled {
      switch state.withLock({ $0.outlook() }) {
      case .over:
        ringEnd()
        return false
      case .due(let source, _):
        wake(source)
        return true
      case .busy:
        return true
      case .notYet(let file):
        await waitForMore(of: file)
      }
    }
    return false
  }

  /// Waits until lines are due at the speed of the replay. Returns `false` if the task is cancelled.
  private func waitUntilDue(_ moment: Moment) async -> Bool {
    let now = realClock.now
    if state.withLock({ $0.reader.isBeforeRange(moment, at: now) }) { return true }
    if let control {
      if await control.wait(for: moment, before: moment) { return true }
      if !Task.isCancelled { end() }
      return false
    }
    guard let speed else { return true }
    let start = state.withLock { $0.begin(at: moment, real: now) }
    let wait = start.recorded.nanoseconds(to: moment).divided(by: speed)
    return await realClock.sleep(until: start.real.later(by: wait))
  }

  /// Ends the sessions of all sources.
  private func end() {
    state.withLock { $0.isOver = true }
    ringEnd()
  }

  private func waitForMore(of file: RecordingFile?) async {
    if let file { await ReadableWait(for: file).run() } else { await Task.yield() }
  }

  private func wake(_ source: String?) {
    let (bell, isNew) = state.withLock { $0.bell(of: source) }
    bell.send(())
    if isNew { join(self, source) }
  }

  /// Wakes all sessions at the end, once.
  private func ringEnd() {
    let bells = state.withLock { state in
      defer { state.hasRungEnd = true }
      return state.hasRungEnd ? [] : state.bells.sorted { ($0.key ?? "") < ($1.key ?? "") }
    }
    for (_, bell) in bells { bell.send(()) }
    closing.send(())
  }

  private func wait(as source: String?) async {
    _ = await state.withLock { $0.bell(of: source).bell }.take()
  }
}

extension FleetRecording.State {
  fileprivate enum Outlook {
    case over
    /// The source whose lines are next, and when they are due.
    case due(String?, Moment)
    /// A source still handles its lines.
    case busy
    case notYet(RecordingFile?)
  }

  /// Returns what wakes the session of a source, and whether the source has just appeared.
  fileprivate mutating func bell(of source: String?) -> (bell: Mailbox<Void>, isNew: Bool) {
    if let bell = bells[source] { return (bell, false) }
    let bell = Mailbox<Void>()
    bells[source] = bell
    return (bell, true)
  }

  fileprivate mutating func outlook() -> Outlook {
    guard !isOver else { return .over }
    guard active == nil else { return .busy }
    do throws(GPSDError) {
      while next.map({ closed.contains($0.source) }) ?? true {
        switch try reader.nextPiece() {
        case .piece(let source, let lines, let moment): record(lines, of: source, at: moment)
        case .ended:
          if let late = takeLateSource() {
            next = (late, GPSDLines(bytes: [], received: reader.now), reader.now)
            continue
          }
          isOver = true
          return .over
        case .notYet:
          return .notYet(reader.endTurn() ? nil : reader.file)
        }
      }
    } catch {
      failure = error
      isOver = true
    }
    guard let next, !isOver else { return .over }
    return .due(next.source, next.moment)
  }

  /// Returns a source whose time has still to pass to the end of the part that is replayed, if it ends before
  /// the recording does.
  private mutating func takeLateSource() -> String?? {
    guard reader.endsEarly else { return nil }
    if lateSources == nil { lateSources = bells.keys.sorted { ($0 ?? "") > ($1 ?? "") } }
    return lateSources?.popLast()
  }

  private mutating func record(_ lines: GPSDLines, of source: String?, at moment: Moment) {
    if bells[source] != nil || bells.count < maximumSources {
      next = (source, lines, moment)
    } else {
      linesLeftOut += lines.reduce(0) { count, _ in count + 1 }
    }
  }

  /// Returns when the first lines were due, which is now if none were.
  fileprivate mutating func begin(at moment: Moment, real now: Moment) -> (
    real: Moment, recorded: Moment
  ) {
    let start = start ?? (now, moment)
    self.start = start
    return start
  }

  fileprivate mutating func take(for source: String?) -> (GPSDLines, Moment)? {
    guard let (owner, lines, moment) = next, owner == source else { return nil }
    next = nil
    active = .some(source)
    times[source] = moment
    return (lines, moment)
  }
}

/// Replays the lines of one source.
private struct FleetSession: GPSDSession {
  let recording: FleetRecording
  let source: String?

  var isLive: Bool { false }

  func open(_ endpoint: GPSDEndpoint) {}
  func send(_ command: GPSDCommand) {}
  func close() { recording.close(source) }

  func read(until deadline: Moment?) async -> TimedRead<GPSDLines> {
    await recording.read(for: source)
  }
}
