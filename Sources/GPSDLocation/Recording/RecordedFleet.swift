public import LocationCore

/// Several recordings, which are replayed on one clock by a provider for each of them.
///
/// What was received at the same time of day is replayed at the same time, in the same order each time: two
/// receivers on one ship are then merged as they would have been.
///
/// ```swift
/// let fleet = try RecordedFleet(contentsOf: [("bow", "bow.jsonl"), ("stern", "stern.jsonl")])
/// let ship = BestLocationProvider(fleet.providers, clock: fleet.clock)
/// ```
///
/// A recording that says when its lines were received is placed by that time, and another one by the time of its
/// first report. One without any time begins with the first.
///
/// The replay continues while each provider either waits for its next events or has closed its connection. So
/// it begins when all providers have a connection, and takes the pace of the slowest reader. A connection that is
/// made when all others were closed begins again, and one that is made before joins the others where they are.
public struct RecordedFleet: Sendable {
  /// The clock of all recordings. It shows the time of the latest lines.
  ///
  /// Sleeping on this clock takes as long as the recordings do at a recorded pace. A replay that is as fast as
  /// possible cannot be waited for: the wait ends at once, as if it were cancelled.
  public let clock: LocationClock
  /// A provider for each recording, with its name, in their order.
  public let providers: [(name: String, provider: any LocationProvider)]

  /// Creates providers that replay files written by `locwatch --record` or `gpspipe -w`.
  ///
  /// - Parameters:
  ///   - recordings: The names of the providers and the paths of the files, which are read completely.
  ///   - pace: The speed of the replay.
  ///   - realClock: The clock that a recorded pace is measured by.
  /// - Throws: ``GPSDError`` with code ``GPSDError/Code/cannotRead`` if a file cannot be read.
  public init(
    contentsOf recordings: [(name: String, path: String)],
    pace: RecordedSession.Pace = .asFastAsPossible, realClock: LocationClock = .live
  ) throws(GPSDError) {
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
  ///   - realClock: The clock that a recorded pace is measured by.
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
