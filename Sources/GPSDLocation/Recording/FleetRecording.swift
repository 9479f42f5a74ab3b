package import LocationCore
import Synchronization

/// A recording of several sources, each of which is replayed by a session of its own.
///
/// The sessions take turns in the order of the recording: a session that asks for lines waits until
/// those of the others before them were handled. So everything happens in the order in which it
/// happened.
package final class FleetRecording: Sendable {
  /// The lines of more sources are skipped: a recording may name another one in each line.
  static let maximumSources = 4096

  fileprivate struct State {
    var reader: RecordingReader
    /// The next lines; `nil` if they have to be read.
    var next: (source: String, lines: GPSDLines, moment: Moment)?
    var isOver = false
    /// Whether all sessions were woken for the end.
    var hasRungEnd = false
    /// The source that handles lines, and has not asked for more.
    var active: String?
    /// What wakes the session of each source that has appeared.
    var bells: [String: Mailbox<Void>] = [:]
    /// Those whose session was closed. Their lines are skipped.
    var closed: Set<String> = []
    /// The time of each source.
    var times: [String: Moment] = [:]
    var start: (real: Moment, recorded: Moment)?
  }

  private let speed: Double?
  private let realClock: LocationClock
  private let join: @Sendable (FleetRecording, String) -> Void
  private let state: Mutex<State>

  /// - Parameters:
  ///   - speed: A multiple of the recorded speed; `nil` to replay without waiting.
  ///   - realClock: The clock of that speed.
  ///   - join: Called when a source appears that has no session. The replay goes on when it has one.
  package init(
    _ files: [RecordingFile], speed: Double?, realClock: LocationClock,
    join: @escaping @Sendable (FleetRecording, String) -> Void
  ) {
    self.speed = speed
    self.realClock = realClock
    self.join = join
    state = Mutex(State(reader: RecordingReader(.files(files))))
  }

  /// Begins the replay, which calls `join` for the first source.
  package func begin() async throws(GPSDError) {
    let realNow = realClock.now
    state.withLock { $0.start = (realNow, $0.reader.now) }
    _ = try await turn(of: nil)
  }

  /// Returns a session of a source.
  package func session(of source: String) -> some GPSDSession {
    state.withLock { _ = $0.closed.remove(source) }
    return FleetSession(recording: self, source: source)
  }

  /// The clock of the whole recording, which stands at the last line.
  package var clock: LocationClock {
    LocationClock(
      now: { [self] in state.withLock(\.reader.now) },
      sleepUntil: { _ in throw CancellationError() })
  }

  /// The clock of a source, which stands at its last line.
  package func clock(of source: String) -> LocationClock {
    LocationClock(
      now: { [self] in state.withLock { $0.times[source] ?? $0.next?.moment ?? $0.reader.now } },
      sleepUntil: { _ in throw CancellationError() })
  }

  fileprivate func read(
    for source: String
  ) async throws(GPSDError) -> TimedRead<GPSDLines> {
    state.withLock { if $0.active == source { $0.active = nil } }
    guard try await turn(of: source), !Task.isCancelled else { return .ended }
    guard let (lines, moment) = state.withLock({ $0.take(for: source) }) else { return .ended }
    return lines.bytes.isEmpty && lines.discardedBytes == 0
      ? .timedOut(at: moment) : .value(lines, at: moment)
  }

  fileprivate func close(_ source: String) {
    state.withLock { state in
      state.closed.insert(source)
      if state.active == source { state.active = nil }
    }
    wakeAll()
  }

  /// Waits until the next lines are those of a source. Returns `false` at the end.
  ///
  /// - Parameter source: The source; `nil` to do no more than find out whose lines are next.
  private func turn(of source: String?) async throws(GPSDError) -> Bool {
    while !Task.isCancelled {
      switch try state.withLock({ state throws(GPSDError) in try state.outlook(for: source) }) {
      case .over:
        wakeAll()
        return false
      case .due(let moment):
        if let speed, let start = state.withLock(\.start) {
          let due = start.recorded.nanoseconds(to: moment).divided(by: speed)
          guard await realClock.sleep(until: start.real.later(by: due)) else { return false }
        }
        return true
      case .others(let next):
        wake(next)
        guard let source else { return true }
        await wait(as: source)
      case .busy:
        guard let source else { return true }
        await wait(as: source)
      case .notYet(let file):
        if let file { await ReadableWait(for: file).run() } else { await Task.yield() }
      }
    }
    return false
  }

  private func wake(_ source: String) {
    let (bell, isNew) = state.withLock { $0.bell(of: source) }
    bell.send(())
    if isNew { join(self, source) }
  }

  private func wakeAll() {
    let bells = state.withLock { state in
      if state.hasRungEnd { return [] as [Mailbox<Void>] }
      state.hasRungEnd = state.isOver
      return state.bells.sorted { $0.key < $1.key }.map(\.value)
    }
    for bell in bells { bell.send(()) }
  }

  private func wait(as source: String) async {
    _ = await state.withLock { $0.bell(of: source).bell }.take()
  }
}

extension FleetRecording.State {
  fileprivate enum Outlook {
    case over
    case due(Moment)
    /// The next lines are those of another source.
    case others(String)
    /// Another source still handles its lines.
    case busy
    case notYet(RecordingFile?)
  }

  /// Returns what wakes the session of a source, and whether the source has just appeared.
  fileprivate mutating func bell(of source: String) -> (bell: Mailbox<Void>, isNew: Bool) {
    if let bell = bells[source] { return (bell, false) }
    let bell = Mailbox<Void>()
    bells[source] = bell
    return (bell, true)
  }

  fileprivate mutating func outlook(for source: String?) throws(GPSDError) -> Outlook {
    if isOver { return .over }
    guard active == nil else { return .busy }
    while !isOver, next.map({ closed.contains($0.source) }) ?? true {
      switch try reader.nextPiece() {
      case .piece(let source, let lines, let moment):
        if bells[source] != nil || bells.count < FleetRecording.maximumSources {
          next = (source, lines, moment)
        }
      case .ended: isOver = true
      case .notYet:
        return .notYet(reader.endTurn() ? nil : reader.file)
      }
    }
    guard let next, !isOver else { return .over }
    return next.source == source ? .due(next.moment) : .others(next.source)
  }

  fileprivate mutating func take(for source: String) -> (GPSDLines, Moment)? {
    guard let (_, lines, moment) = next, next?.source == source else { return nil }
    next = nil
    active = source
    times[source] = moment
    return (lines, moment)
  }
}

/// Replays the lines of one source.
private struct FleetSession: GPSDSession {
  let recording: FleetRecording
  let source: String

  var isLive: Bool { false }

  func open(_ endpoint: GPSDEndpoint) {}
  func send(_ command: GPSDCommand) {}
  func close() { recording.close(source) }

  func read(until deadline: Moment?) async throws(GPSDError) -> TimedRead<GPSDLines> {
    try await recording.read(for: source)
  }
}
