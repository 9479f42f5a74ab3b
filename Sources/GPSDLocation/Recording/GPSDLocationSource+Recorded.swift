import LocationCore
import Synchronization

extension GPSDLocationSource {
  /// Creates a source that replays a session.
  ///
  /// All connections share the session, and each one restarts it from the beginning, so use one
  /// connection at a time. Sources created by ``recorded(contentsOf:pace:device:)`` have no such limit.
  ///
  /// - Parameters:
  ///   - session: The recording.
  ///   - device: The path of the only receiver to report; `nil` reports all that the recorded run watched.
  ///   - kinds: The reports to pass on as `LocationEvent.other(_:)`.
  ///   - statistics: Counts incoming reports and malformed lines.
  public init(
    replaying session: RecordedSession, device: String? = nil,
    kinds: Set<ServiceReport.Kind> = [], statistics: GPSDStatistics? = nil
  ) {
    self.init(
      replaying: session, device: device, kinds: kinds, satellites: true, statistics: statistics)
  }

  package init(
    replaying session: RecordedSession, device: String? = nil,
    kinds: Set<ServiceReport.Kind> = [], satellites: Bool, statistics: GPSDStatistics? = nil
  ) {
    self.init(
      device: device, kinds: kinds, satellites: satellites, statistics: statistics,
      clock: session.clock,
      makeSession: { session })
  }

  /// Returns a source that replays lines of text. Each connection replays them from the beginning,
  /// independently of others.
  ///
  /// - Parameters:
  ///   - lines: gpsd's reports, without line ends. The lines that `locwatch --record` adds
  ///     set the receive time of the reports that follow.
  ///   - pace: The speed of the replay.
  ///   - device: The path of the only receiver to report; `nil` reports all that the recorded run watched.
  public static func recorded(
    lines: [String], pace: RecordedSession.Pace = .asFastAsPossible, device: String? = nil
  ) -> GPSDLocationSource {
    recorded(lines.recording, pace: pace, device: device)
  }

  /// Returns a source that replays a file written by `locwatch --record` or `gpspipe -w`. Each
  /// connection replays it from the beginning, independently of others.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which is read completely before this method returns.
  ///   - pace: The speed of the replay.
  ///   - device: The path of the only receiver to report; `nil` reports all that the recorded run watched.
  /// - Throws: `LocationError` with code `LocationError.Code.disconnected` if the file cannot be read.
  public static func recorded(
    contentsOf path: String, pace: RecordedSession.Pace = .asFastAsPossible, device: String? = nil
  ) throws(LocationError) -> GPSDLocationSource {
    recorded(try RecordingFile(path: FilePath(path)).contents(), pace: pace, device: device)
  }

  private static func recorded(
    _ bytes: [UInt8], pace: RecordedSession.Pace, device: String?
  ) -> GPSDLocationSource {
    let sessions = RecordedSessions(of: bytes, pace: pace)
    return GPSDLocationSource(
      device: device, satellites: true, clock: sessions.clock, lookup: DeviceNode.elsewhere,
      makeSession: { sessions.next() })
  }
}

/// Creates independent sessions of one recording.
private final class RecordedSessions: Sendable {
  private let bytes: [UInt8]
  private let pace: RecordedSession.Pace
  /// The session of the latest connection; before the first one, a session that stays at the beginning.
  private let latest: Mutex<RecordedSession>

  init(of bytes: [UInt8], pace: RecordedSession.Pace) {
    self.bytes = bytes
    self.pace = pace
    latest = Mutex(Self.session(of: bytes, pace))
  }

  private static func session(
    of bytes: [UInt8], _ pace: RecordedSession.Pace
  ) -> RecordedSession {
    RecordedSession(Replay(bytes, by: pace.clock(.live)), isOneOfSeveral: true)
  }

  func next() -> RecordedSession {
    let session = Self.session(of: bytes, pace)
    latest.withLock { $0 = session }
    return session
  }

  /// The time of the latest connection, also after its end; the beginning of the recording if there is none.
  var clock: LocationClock {
    LocationClock(
      now: { [self] in current.clock.now },
      recordedError: { [self] in current.clock.recordedError?() },
      makeSemaphore: { [self] in current.clock.semaphore },
      move: { [self] in await current.clock.wait(until: $0, hearing: $1) },
      sleepUntil: { [self] in try await current.clock.sleep(until: $0) })
  }

  private var current: RecordedSession { latest.withLock(\.self) }
}
