public import LocationCore
import Synchronization

/// A session that replays a recording.
///
/// It reads the output of `locwatch --record`, which contains the times at which lines were received,
/// and plain gpsd JSON as written by `gpspipe -w`, for which the reports' own times are used. Commands
/// are ignored. Each `open` starts again from the beginning.
///
/// The output of `locwatch --record` also says when the connection to gpsd failed. The provider then reports
/// `LocationEvent.disconnected(_:retryIn:)`, and continues with the next connection of the recording.
///
/// `GPSDLocationSource.recorded(contentsOf:pace:device:)` creates a provider from a recording.
public final class RecordedSession: GPSDSession {
  /// The speed of a replay.
  public enum Pace: Hashable, Sendable {
    /// Replays without waiting. Deadlines refer to the recording's own time, so that states change
    /// exactly as they did.
    case asFastAsPossible
    /// Replays at a multiple of the recorded speed. A speed below 0.000001, including 0 and negative
    /// numbers, counts as 0.000001, and NaN as 1.
    case recorded(speed: Double = 1)
  }

  private let pace: Pace
  private let realClock: LocationClock
  /// Decides when lines are due, instead of the pace; `nil` if nobody controls the replay.
  private let control: PlaybackControl?
  /// The size of the recording in bytes; `nil` if it is unknown, as for a pipe.
  package let size: Int?
  private let state: Mutex<RecordingReader>

  /// Creates a session that replays lines of text.
  ///
  /// - Parameters:
  ///   - lines: gpsd's reports, without line ends. Lines in the format of ``RecordingTimestamp`` set
  ///     the receive time of the reports that follow.
  ///   - pace: The speed of the replay.
  ///   - realClock: The clock that a recorded pace is measured by.
  public convenience init(
    lines: [String], pace: Pace = .asFastAsPossible, realClock: LocationClock = .live
  ) {
    let bytes = Array(lines.lazy.map { $0 + "\n" }.joined().utf8)
    self.init(bytes: bytes, pace: pace, realClock: realClock)
  }

  /// Creates a session that replays the contents of a file.
  package init(bytes: [UInt8], pace: Pace, realClock: LocationClock = .live) {
    self.pace = pace
    self.realClock = realClock
    control = nil
    size = bytes.count
    var recording = RecordingReader(.bytes(bytes))
    recording.begin()
    state = Mutex(recording)
  }

  /// Creates a session that replays a file.
  ///
  /// - Parameters:
  ///   - path: The path of a file, or of a pipe, which can be read only once.
  ///   - pace: The speed of the replay.
  ///   - realClock: The clock that a recorded pace is measured by.
  /// - Throws: ``GPSDError`` with code ``GPSDError/Code/cannotRead`` if the file cannot be opened.
  public convenience init(
    contentsOf path: String, pace: Pace = .asFastAsPossible, realClock: LocationClock = .live
  ) throws(GPSDError) {
    self.init([try RecordingFile(path: FilePath(path))], pace: pace, realClock: realClock)
  }

  /// Creates a session that replays several files as if they were one.
  ///
  /// - Parameters:
  ///   - control: Decides when lines are due, instead of the pace; `nil` if nobody controls the replay.
  ///   - range: The part to replay. What is before it is passed on at once, at any pace.
  package init(
    _ files: [RecordingFile], pace: Pace, realClock: LocationClock = .live,
    control: PlaybackControl? = nil, range: RecordedRange = RecordedRange()
  ) {
    self.pace = pace
    self.realClock = realClock
    self.control = control
    let sizes = files.compactMap(\.size)
    // A sparse file can have nearly any size.
    let sum = sizes.reduce(Int64(0)) { $0.clampedSum(Int64($1)) }
    size = sizes.count == files.count ? Int(clamping: sum) : nil
    var recording = RecordingReader(.files(files), range: range)
    recording.begin()
    state = Mutex(recording)
  }

  /// The clock of the recording. Its time is that of the latest line or wait.
  ///
  /// Sleeping on this clock takes as long as the recording does at its ``Pace``; with
  /// ``Pace/asFastAsPossible``, as long as in the recording itself.
  public var clock: LocationClock {
    LocationClock(
      now: { [self] in state.withLock { $0.now } },
      sleepUntil: { [self] moment in
        guard await realClock.sleep(until: realMoment(of: moment)) else {
          throw CancellationError()
        }
        state.withLock { $0.pass(to: moment) }
      })
  }

  /// Always `false`: a recording answers no commands.
  public var isLive: Bool { false }

  /// How many bytes of the recording have been replayed.
  package var bytesSaid: Int { state.withLock { $0.bytesSaid } }

  /// When the part to replay begins; `nil` if that is not known yet, or if everything is replayed.
  package var beginning: Moment? { state.withLock(\.beginning) }
  /// What is known of the part to replay; `nil` if everything is replayed.
  package var extent: RecordedExtent? { state.withLock(\.extent) }

  /// Whether the recording has been replayed to its end.
  package var isOver: Bool { state.withLock { $0.isExhausted } }
  /// Whether the replay failed because lines of another source follow.
  package var hasOtherSource: Bool { state.withLock(\.hasOtherSource) }
  /// How many lines are missing, as far as the recording says so.
  package var lostLines: Int { state.withLock(\.lostLines) }
  /// The contents of the files read so far; empty if the recording has no files.
  package var contents: [RecordingContents] { state.withLock(\.contents) }

  /// Restarts the replay from the beginning. Never fails.
  public func open(_ endpoint: GPSDEndpoint) throws(GPSDError) {
    let now = realClock.now
    let start = state.withLock { recording in
      recording.rewind(at: now)
      return recording.now
    }
    control?.beginPass(at: start)
  }

  /// Returns to the beginning, where ``clock`` stands until the session is opened again.
  package func rewind() {
    let now = realClock.now
    state.withLock { $0.rewind(at: now) }
  }

  /// Does nothing.
  public func send(_ command: GPSDCommand) {}

  /// Does nothing.
  public func close() {}

  /// Returns the next lines that were received at one moment.
  ///
  /// - Parameter deadline: When to stop waiting, by ``clock``; `nil` waits indefinitely.
  /// - Returns: The lines; `TimedRead.timedOut(at:)` at the deadline, or when the recording ends later
  ///   than its last lines; `TimedRead.ended` after that, or if the task is cancelled.
  /// - Throws: ``GPSDError`` with code ``GPSDError/Code/cannotRead`` if the file cannot be read.
  public func read(until deadline: Moment?) async throws(GPSDError) -> TimedRead<GPSDLines> {
    while !Task.isCancelled {
      let read =
        if control == nil, pace == .asFastAsPossible {
          try nextLines(until: deadline)
        } else {
          try await nextLinesInTime(until: deadline)
        }
      if let read { return read }
      if state.withLock({ $0.endTurn() }) {
        await Task.yield()
      } else if deadline == .past {
        return .timedOut(at: state.withLock(\.now))
      } else if let file = state.withLock(\.file) {
        await ReadableWait(for: file).run()
      }
    }
    return .ended
  }

  /// Waits until a recorded moment is due. Returns `false` if the replay ends before.
  private func waitUntilDue(_ moment: Moment, before lines: Moment) async -> Bool {
    guard let control else { return await realClock.sleep(until: realMoment(of: moment)) }
    let real = realClock.now
    if state.withLock({ $0.isBeforeRange(moment, at: real) }) { return true }
    return await control.wait(for: moment, before: lines)
  }

  /// Returns when a recorded moment is due by the real clock.
  private func realMoment(of moment: Moment) -> Moment {
    let real = realClock.now
    return state.withLock { recording in
      if pace != .asFastAsPossible, recording.isBeforeRange(moment, at: real) { return real }
      // At full speed, the position in the recording says nothing about elapsed time.
      if pace != .asFastAsPossible,
        let due = recording.realMoment(of: moment, speed: pace.speed)
      {
        return due
      }
      return real.later(by: recording.now.nanoseconds(to: moment).divided(by: pace.speed))
    }
  }

  private func nextLines(until deadline: Moment?) throws(GPSDError) -> TimedRead<GPSDLines>? {
    try state.withLock { recording throws(GPSDError) in
      switch try recording.readNext() {
      case .lines(let lines): .value(lines, at: recording.now)
      case .ended: recording.passToEnd(until: deadline) ? .timedOut(at: recording.now) : .ended
      case .notYet: nil
      }
    }
  }

  private func nextLinesInTime(
    until deadline: Moment?
  ) async throws(GPSDError) -> TimedRead<GPSDLines>? {
    let outlook = try state.withLock { recording throws(GPSDError) in try recording.lookAhead() }
    switch outlook {
    case .notYet: return nil
    case .over: return .ended
    case .due(let due):
      let now = state.withLock(\.now)
      if let deadline, deadline < due, deadline <= now { return .timedOut(at: now) }
      let next = due.earlier(of: deadline)
      guard await waitUntilDue(next, before: due) else { return .ended }
      if next == due, let lines = state.withLock({ $0.takeAhead() }) {
        return .value(lines, at: next)
      }
      state.withLock { $0.pass(to: next) }
      return .timedOut(at: next)
    }
  }
}

extension RecordedSession.Pace {
  /// The factor by which waits are shortened.
  fileprivate var speed: Double {
    switch self {
    case .asFastAsPossible: 1
    case .recorded(let speed): speed.isNaN ? 1 : max(speed, 1e-6)
    }
  }
}
