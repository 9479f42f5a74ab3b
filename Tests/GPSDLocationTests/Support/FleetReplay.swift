import LocationCore
import Synchronization

@testable import GPSDLocation

/// Replays a recording of several sources, with a session for each of them.
final class FleetReplay: Sendable {
  /// What a session has read.
  struct Piece: Sendable {
    var source: String?
    /// The lines; empty for a time without any.
    var text: String
    var discardedBytes = 0
    var received: Moment?
    var moment: Moment
  }

  private final class Log: Sendable {
    let pieces = Mutex<[Piece]>([])
    let sessions = Mutex<[Task<Void, any Error>]>([])
  }

  let recording: ReplayEngine
  private let log = Log()

  /// - Parameters:
  ///   - count: After how many pieces a session is closed.
  ///   - maximumSources: How many sources are replayed.
  init(
    _ files: [RecordingFile], speed: Double? = nil, realClock: LocationClock = .live,
    control: PlaybackControl? = nil, count: Int = .max,
    maximumSources: Int = ReplayEngine.maximumSources
  ) {
    let log = log
    recording = ReplayEngine(
      files, pace: speed.map { .recorded(speed: $0) } ?? .asFastAsPossible, realClock: realClock,
      control: control, maximumSources: maximumSources
    ) { recording, source in
      let session = recording.session(of: source)
      let reading = Task {
        try await Self.read(session, of: source, count: count, into: log)
      }
      log.sessions.withLock { $0.append(reading) }
    }
  }

  convenience init(
    _ paths: [String], speed: Double? = nil, realClock: LocationClock = .live, count: Int = .max
  ) throws {
    self.init(
      try paths.map { try RecordingFile(path: FilePath($0)) }, speed: speed, realClock: realClock,
      count: count)
  }

  /// Returns what all sessions have read, in the order in which they did.
  func run() async throws -> [Piece] {
    try await recording.begin()
    await recording.run()
    for session in log.sessions.withLock(\.self) { try await session.value }
    return log.pieces.withLock(\.self)
  }

  private static func read(
    _ session: some GPSDSession, of source: String?, count: Int, into log: Log
  ) async throws {
    var rest = count
    reading: while rest > 0 {
      switch try await session.read(until: nil) {
      case .value(let lines, let moment):
        let piece = Piece(
          source: source, text: Lines.text(lines.bytes), discardedBytes: lines.discardedBytes,
          received: lines.received, moment: moment)
        log.pieces.withLock { $0.append(piece) }
      case .timedOut(let moment):
        log.pieces.withLock {
          $0.append(Piece(source: source, text: "", received: nil, moment: moment))
        }
      case .ended: break reading
      }
      rest -= 1
    }
    await session.close()
  }
}
