public import LocationCore

/// Several recordings that are replayed on one clock, each by a provider of its own.
///
/// Reports that were received at the same time of day are replayed at the same time, and in the same order in every
/// replay. Two receivers on one ship are therefore merged as they would have been live.
///
/// ```swift
/// let fleet = try RecordedFleet(contentsOf: [("bow", "bow.jsonl"), ("stern", "stern.jsonl")])
/// let ship = BestLocationProvider(fleet.providers, clock: fleet.clock)
/// ```
///
/// A recording with receive times begins at the first of them. A recording without receive times begins at the time
/// of its first report, and a recording without any times begins with the first of the others.
///
/// The replay continues while each provider either waits for its next events or has closed its connection. It
/// therefore begins when all providers have a connection, and its pace is that of the slowest reader. A connection
/// that is made after all others were closed starts a new replay; otherwise, it joins the replay that is under way.
public struct RecordedFleet: Sendable {
  /// The clock of all recordings. It shows the time of the latest lines.
  ///
  /// Sleeping on this clock takes as long as the recordings do at a recorded pace. If the replay of several recordings
  /// is as fast as possible, sleeping is impossible: it ends at once, as if it were cancelled.
  public let clock: LocationClock
  /// The providers and their names, one for each recording, in the same order.
  public let providers: [(name: String, provider: any LocationProvider)]

  /// Creates providers that replay files written by `locwatch --record` or `gpspipe -w`.
  ///
  /// - Parameters:
  ///   - recordings: The names of the providers and the paths of the files, which are read completely.
  ///   - pace: The speed of the replay.
  ///   - realClock: The clock that measures a recorded pace.
  /// - Throws: `LocationError` with code `LocationError.Code.disconnected` if a file cannot be read.
  public init(
    contentsOf recordings: [(name: String, path: String)],
    pace: RecordedSession.Pace = .asFastAsPossible, realClock: LocationClock = .live
  ) throws(LocationError) {
    var contents: [(name: String, bytes: [UInt8])] = []
    for (name, path) in recordings {
      contents.append((name, try RecordingFile(path: FilePath(path)).contents()))
    }
    self.init(contents, pace, realClock)
  }

  /// Creates providers that replay lines of text.
  ///
  /// - Parameters:
  ///   - recordings: The names of the providers and gpsd's reports, without line ends. Lines in the format of
  ///     ``RecordingTimestamp`` set the receive time of the reports that follow.
  ///   - pace: The speed of the replay.
  ///   - realClock: The clock that measures a recorded pace.
  public init(
    lines recordings: [(name: String, lines: [String])],
    pace: RecordedSession.Pace = .asFastAsPossible, realClock: LocationClock = .live
  ) {
    self.init(recordings.map { ($0.name, $0.lines.recording) }, pace, realClock)
  }

  private init(
    _ recordings: [(name: String, bytes: [UInt8])], _ pace: RecordedSession.Pace,
    _ realClock: LocationClock
  ) {
    let engine = ReplayEngine(recordings.map(\.bytes), pace: pace, realClock: realClock)
    clock = engine.clock
    providers = recordings.enumerated().map { index, recording in
      let source = GPSDLocationSource(
        satellites: true, clock: engine.clock, lookup: DeviceNode.elsewhere,
        makeSession: { engine.session(of: index) })
      return (recording.name, source)
    }
  }
}
