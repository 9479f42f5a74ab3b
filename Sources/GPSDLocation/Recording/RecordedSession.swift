public import LocationCore

/// A session that replays a recording.
///
/// It reads the output of `locwatch --record`, which contains the times at which lines were received,
/// and plain gpsd JSON as written by `gpspipe -w`, for which the reports' own times are used. Commands
/// are ignored. Each `open` starts again from the beginning.
///
/// The output of `locwatch --record` also contains failures of the connection to gpsd. The provider then reports
/// `LocationEvent.disconnected(_:retryIn:)`, and continues with the next connection of the recording.
///
/// `GPSDLocationSource.recorded(contentsOf:pace:device:)` creates a provider from a recording.
public final class RecordedSession: GPSDSession {
  /// The speed of a replay.
  public enum Pace: Hashable, Sendable {
    /// Replays without waiting. Deadlines refer to the recording's own time, so that states change exactly as they
    /// did live.
    case asFastAsPossible
    /// Replays at a multiple of the recorded speed: 2 is twice as fast. A multiple below 0.000001, including 0 and
    /// negative numbers, counts as 0.000001, and NaN as 1.
    case recorded(speed: Double = 1)
  }

  /// The engine that replays the recording to this session only.
  package let engine: ReplayEngine

  /// Creates a session that replays lines of text.
  ///
  /// - Parameters:
  ///   - lines: gpsd's reports, without line ends. The lines that `locwatch --record` adds
  ///     set the receive time of the reports that follow.
  ///   - pace: The speed of the replay.
  ///   - realClock: The clock that measures a recorded pace.
  public convenience init(
    lines: [String], pace: Pace = .asFastAsPossible, realClock: LocationClock = .live
  ) {
    self.init(ReplayEngine(lines.recording, pace: pace, realClock: realClock))
  }

  /// Creates a session that replays a file.
  ///
  /// - Parameters:
  ///   - path: The path of a file, or of a pipe, which can be read only once.
  ///   - pace: The speed of the replay.
  ///   - realClock: The clock that measures a recorded pace.
  /// - Throws: `LocationError` with code `LocationError.Code.disconnected` if the file cannot be opened.
  public convenience init(
    contentsOf path: String, pace: Pace = .asFastAsPossible, realClock: LocationClock = .live
  ) throws(LocationError) {
    let file = try RecordingFile(path: FilePath(path))
    self.init(ReplayEngine([file], pace: pace, realClock: realClock))
  }

  /// Creates a session of a recording of one source.
  package init(_ engine: ReplayEngine) { self.engine = engine }

  /// The clock of the recording. It shows the time of the latest line or wait.
  ///
  /// Sleeping on this clock takes real time: as long as the replay takes at its ``Pace``, and with
  /// ``Pace/asFastAsPossible`` as long as the recording took.
  public var clock: LocationClock { engine.clock }

  /// Always `false`: a recording answers no commands.
  package var isLive: Bool { false }

  /// Restarts the replay from the beginning. It never fails.
  package func open(_ endpoint: GPSDEndpoint) throws(LocationError) { engine.restart() }

  /// Does nothing.
  package func send(_ command: GPSDCommand) {}

  /// Does nothing.
  package func close() {}

  /// Returns the next lines that were received at one moment.
  ///
  /// - Parameter deadline: When to stop waiting, by ``clock``; `nil` waits indefinitely. As fast as possible, nothing
  ///   is waited for: the next lines are returned even if they are later than the deadline.
  /// - Returns: The lines; `TimedRead.timedOut(at:)` at the deadline, or when the recording ends later
  ///   than its last lines; `TimedRead.ended` after that, or if the task is cancelled.
  /// - Throws: `LocationError` with code `LocationError.Code.disconnected` if the file cannot be read.
  package func read(until deadline: Moment?) async throws(LocationError) -> TimedRead<GPSDLines> {
    try await engine.read(for: 0, until: deadline)
  }
}

extension [String] {
  /// The contents of a recording with these lines.
  var recording: [UInt8] { [UInt8](lazy.map { $0 + "\n" }.joined().utf8) }
}
