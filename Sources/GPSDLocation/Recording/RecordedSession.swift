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

  let replay: Replay
  private let isOneOfSeveral: Bool
  private let session: any GPSDSession

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
    self.init(Replay(lines.recording, by: pace.clock(realClock)))
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
    self.init(Replay([file], by: pace.clock(realClock)))
  }

  /// Creates a session of a recording of one source.
  ///
  /// - Parameter isOneOfSeveral: Whether a provider has other sessions, each with a time of its own.
  package init(_ replay: Replay, isOneOfSeveral: Bool = false) {
    self.replay = replay
    self.isOneOfSeveral = isOneOfSeveral
    session = replay.session()
  }

  /// The clock of the recording. It shows the time of the latest line or wait.
  ///
  /// Sleeping on this clock takes real time: as long as the replay takes at its ``Pace``, and with
  /// ``Pace/asFastAsPossible`` as long as the recording took.
  public var clock: LocationClock { replay.clock }

  /// Always `false`: a recording answers no commands.
  package var isLive: Bool { false }

  /// Does nothing.
  package func open(_ endpoint: GPSDEndpoint) {}

  /// Begins the replay, or begins it again.
  package func restart() { session.restart() }

  /// Does nothing.
  package func send(_ command: GPSDCommand) {}

  /// Does nothing.
  package func close() {}

  /// Returns the next lines that were received at one moment. As fast as possible, they are returned before that moment,
  /// and the ``clock`` is moved to it.
  ///
  /// - Throws: `LocationError` with code `LocationError.Code.disconnected` if the file cannot be read.
  package func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
    try session.poll(at: now)
  }

  /// Returns when the next lines are due, or the recording ends.
  package func wait() -> Wait {
    var wait = session.wait()
    if isOneOfSeveral { wait.move = { [replay] in await replay.move(to: $0, $1) } }
    return wait
  }
}

extension RecordedSession.Pace {
  /// Returns the time of a replay at this pace.
  package func clock(_ realClock: LocationClock) -> ReplayClock {
    switch self {
    case .asFastAsPossible: ReplayClock(speed: .maximum, realClock: realClock)
    case .recorded(let speed):
      ReplayClock(speed: .times(speed.isNaN ? 1 : max(speed, 1e-6)), realClock: realClock)
    }
  }
}

extension [String] {
  /// The contents of a recording with these lines.
  var recording: [UInt8] { [UInt8](lazy.map { $0 + "\n" }.joined().utf8) }
}
