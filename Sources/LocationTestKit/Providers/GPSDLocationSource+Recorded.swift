public import GPSDLocation
import LocationCore
import Synchronization

extension GPSDLocationSource where Session == RecordedSession {
  /// Replays a recording that is given line by line, without line ends. Each connection replays it
  /// from the beginning, by itself.
  ///
  /// - Parameters:
  ///   - lines: Reports of gpsd's, and between them the times at which they came.
  ///   - pace: How fast they are said again.
  ///   - device: Only this receiver, by its path; `nil` is every receiver.
  public static func recorded(
    lines: [String], pace: RecordedSession.Pace = .asFastAsPossible, device: String? = nil
  ) -> GPSDLocationSource {
    recorded(Array(lines.lazy.map { $0 + "\n" }.joined().utf8), pace: pace, device: device)
  }

  /// Replays a recording in a file: `locwatch --record` or `gpspipe -w` made it. Each connection
  /// replays it from the beginning, by itself.
  ///
  /// - Parameters:
  ///   - path: The file, which is read at once.
  ///   - pace: How fast it is said again.
  ///   - device: Only this receiver, by its path; `nil` is every receiver.
  /// - Throws: `GPSDError` where the file cannot be read.
  public static func recorded(
    contentsOf path: String, pace: RecordedSession.Pace = .asFastAsPossible, device: String? = nil
  ) throws(GPSDError) -> GPSDLocationSource {
    recorded(try RecordingFile(path: path).contents(), pace: pace, device: device)
  }

  private static func recorded(
    _ bytes: [UInt8], pace: RecordedSession.Pace, device: String?
  ) -> GPSDLocationSource {
    let sessions = RecordedSessions(of: bytes, pace: pace)
    return GPSDLocationSource(device: device, clock: sessions.clock) { sessions.next() }
  }
}

/// The sessions of one recording, each on its own.
private final class RecordedSessions: Sendable {
  private struct Latest { weak var session: RecordedSession? }

  private let bytes: [UInt8]
  private let pace: RecordedSession.Pace
  /// Is never read, and stays at the beginning.
  private let unread: RecordedSession
  private let latest = Mutex(Latest())

  init(of bytes: [UInt8], pace: RecordedSession.Pace) {
    self.bytes = bytes
    self.pace = pace
    unread = RecordedSession(bytes: bytes, pace: pace)
  }

  func next() -> RecordedSession {
    let session = RecordedSession(bytes: bytes, pace: pace)
    latest.withLock { $0.session = session }
    return session
  }

  /// The time of the connection that was made last; without one, the beginning.
  var clock: LocationClock {
    LocationClock(
      now: { [self] in current.clock.now },
      sleepUntil: { [self] moment in
        guard await current.clock.sleep(until: moment) else { throw CancellationError() }
      })
  }

  private var current: RecordedSession { latest.withLock { $0.session } ?? unread }
}
