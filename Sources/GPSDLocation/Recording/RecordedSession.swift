public import LocationCore
import Synchronization

/// A gpsd that says again what was recorded.
///
/// It takes what `locwatch --record` writes, whose lines tell when they came, and plain gpsd JSON
/// such as `gpspipe -w` gives, where the reports' own times stand for that. What is sent to it is
/// ignored. Each `open` starts from the beginning.
///
/// ```swift
/// let session = try RecordedSession(contentsOf: "drive.jsonl", pace: .recorded(speed: 10))
/// let source = GPSDLocationSource(session: session)
/// ```
public final class RecordedSession: GPSDSession {
  /// How fast a recording is said again.
  public enum Pace: Hashable, Sendable {
    /// One line after the other. Its clock is the recording's, so that states come as they did.
    case asFastAsPossible
    /// So many times as fast as it was recorded, a millionth at the least: what is less, 0 too, counts
    /// as that, and NaN as 1.
    case recorded(speed: Double = 1)
  }

  private let pace: Pace
  private let realClock: LocationClock
  /// How many bytes the recording has; `nil` where that is not known, as of a pipe.
  package let size: Int?
  private let state: Mutex<Recording>

  /// A recording given line by line, without line ends.
  ///
  /// - Parameters:
  ///   - lines: Reports of gpsd's, and between them those that ``RecordedTime`` describes.
  ///   - pace: How fast they are said again.
  ///   - realClock: What a recorded pace is measured by.
  public convenience init(
    lines: [String], pace: Pace = .asFastAsPossible, realClock: LocationClock = .live
  ) {
    let bytes = Array(lines.lazy.map { $0 + "\n" }.joined().utf8)
    self.init(bytes: bytes, pace: pace, realClock: realClock)
  }

  /// A recording as it stands in a file.
  package init(bytes: [UInt8], pace: Pace, realClock: LocationClock = .live) {
    self.pace = pace
    self.realClock = realClock
    size = bytes.count
    var recording = Recording(.bytes(bytes))
    recording.begin()
    state = Mutex(recording)
  }

  /// A recording in a file.
  ///
  /// - Parameters:
  ///   - path: The file, or a pipe, which can be read once.
  ///   - pace: How fast it is said again.
  ///   - realClock: What a recorded pace is measured by.
  /// - Throws: ``GPSDError`` with code ``GPSDError/Code/cannotRead`` where it cannot be opened.
  public convenience init(
    contentsOf path: String, pace: Pace = .asFastAsPossible, realClock: LocationClock = .live
  ) throws(GPSDError) {
    self.init([try RecordingFile(path: path)], pace: pace, realClock: realClock)
  }

  /// A recording in several files, which follow each other as if they had been appended.
  package init(_ files: [RecordingFile], pace: Pace, realClock: LocationClock = .live) {
    self.pace = pace
    self.realClock = realClock
    let sizes = files.compactMap(\.size)
    size = sizes.count == files.count ? sizes.reduce(0, +) : nil
    var recording = Recording(.files(files))
    recording.begin()
    state = Mutex(recording)
  }

  /// The recording's own time: that of the last line, or wait.
  ///
  /// To wait on it takes as long as the recording would, at its ``Pace``; at full speed, as long as it
  /// was recorded.
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

  /// `false`: nobody is there to answer.
  public var isLive: Bool { false }

  /// How many bytes of the recording were said so far.
  package var bytesSaid: Int { state.withLock { $0.bytesSaid } }

  /// Whether the recording was said to its end.
  package var isOver: Bool { state.withLock { $0.isExhausted } }
  /// What the files have in them, up to the one that is read; nothing where there are none.
  package var contents: [RecordingContents] { state.withLock(\.contents) }

  /// Goes back to the beginning. It never fails.
  public func open(_ endpoint: GPSDEndpoint) throws(GPSDError) {
    let now = realClock.now
    state.withLock { $0.rewind(at: now) }
  }

  /// Does nothing.
  public func send(_ command: GPSDCommand) {}

  /// Does nothing.
  public func close() {}

  /// The next line, or what there was instead of one: at the end ``GPSDRead/ended``.
  ///
  /// - Parameter deadline: When to stop waiting, by ``clock``; `nil` waits for ever.
  /// - Throws: ``GPSDError`` with code ``GPSDError/Code/cannotRead`` where the file cannot be read.
  public func read(until deadline: Moment?) async throws(GPSDError) -> GPSDRead {
    while !Task.isCancelled {
      let read: GPSDRead? =
        switch pace {
        case .asFastAsPossible: try nextLine()
        case .recorded: try await nextLineInTime(until: deadline)
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

  /// The next line at full speed, where there is one. A paced one is always waited for.
  public func readBuffered() -> GPSDRead? {
    guard pace == .asFastAsPossible, !Task.isCancelled else { return nil }
    return state.withLock { $0.readLine() }
  }

  /// When a recorded moment is due by the real clock.
  private func realMoment(of moment: Moment) -> Moment {
    let real = realClock.now
    return state.withLock { recording in
      // What is read at full speed is no measure of the time that went by.
      if pace != .asFastAsPossible,
        let due = recording.realMoment(of: moment, speed: pace.speed)
      {
        return due
      }
      return real.later(by: recording.now.nanoseconds(to: moment).divided(by: pace.speed))
    }
  }

  private func nextLine() throws(GPSDError) -> GPSDRead? {
    try state.withLock { recording throws(GPSDError) in try recording.readNext() }
  }

  private func nextLineInTime(until deadline: Moment?) async throws(GPSDError) -> GPSDRead? {
    let outlook = try state.withLock { recording throws(GPSDError) in try recording.lookAhead() }
    switch outlook {
    case .notYet: return nil
    case .over: return .ended
    case .due(let due):
      let now = state.withLock(\.now)
      if let deadline, deadline < due, deadline <= now { return .timedOut(at: now) }
      let next = due.orEarlier(deadline)
      guard await realClock.sleep(until: realMoment(of: next)) else { return .ended }
      if next == due { return state.withLock { $0.takeAhead() } }
      state.withLock { $0.pass(to: next) }
      return .timedOut(at: next)
    }
  }
}

extension RecordedSession.Pace {
  /// How many times as fast as it was recorded a wait is.
  fileprivate var speed: Double {
    switch self {
    case .asFastAsPossible: 1
    case .recorded(let speed): speed.isNaN ? 1 : max(speed, 1e-6)
    }
  }
}
