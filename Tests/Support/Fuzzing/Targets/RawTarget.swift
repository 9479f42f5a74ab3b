import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import LocwatchCLI
import LocwatchReceivers
import LocwatchSystem

/// What a receiver sent, fed to a model of gpsd: gpsd gets all but the comments, and each of its reports
/// is passed on once, in order and with the name of the file; also where gpsd fails, as far as it came.
package struct RawTarget: FuzzTarget {
  private static let path = "tcp://127.0.0.1:40123"
  private static let names = [
    "drive.nmea", "a b.log", "x", "\"q\".ubx", "\u{4E2D}.bin", "back\\slash.raw", "r.jsonl", ".log",
  ]
  /// A feed that takes more turns than this has stopped.
  private static let maximumTurns = 200_000

  package init() {}

  package func round(seed: UInt64, into tally: inout FuzzTally) async throws -> String? {
    var random = SeededRandom(seed: seed)
    let log = ReceiverLog(&random)
    let name = random.pick(Self.names)
    tally.checks += 1
    return try complaint(aboutRecognizing: log)
      ?? feed(log, named: name, &random, into: &tally)
  }

  /// Whether the file is taken for what it is, whatever its name, and by its name where it is anything.
  private func complaint(aboutRecognizing log: ReceiverLog) throws -> String? {
    let folder = try FuzzFolder()
    for (name, isNamedRaw) in [("log.LOG", true), ("log.jsonl", false), ("ubx", true)] {
      try folder.write(log.bytes, to: name)
      let isRaw = LogHead.isRaw(try RecordingFile(path: FilePath(folder.path(name))))
      // Only the beginning is inspected, which can consist of comments.
      guard log.bytes.count - log.contents.count < 3000 else { continue }
      let expected =
        switch log.kind {
        case .nmea, .ubx, .greeted: true
        case .reports: false
        case .anything: isNamedRaw
        }
      if name != "ubx" || log.kind != .anything, isRaw != expected {
        return "\(name) of \(log.kind) is \(isRaw ? "" : "not ")taken for a log"
      }
    }
    let kind = ForeignFile(Array(log.contents.prefix(500)))
    return kind.message.isEmpty || kind.hint.isEmpty ? "no words for \(kind)" : nil
  }

  private func feed(
    _ log: ReceiverLog, named name: String, _ random: inout SeededRandom,
    into tally: inout FuzzTally
  ) -> String? {
    let (client, clientOfGPSD) = Self.socketPair()
    let (source, sourceOfGPSD) = Self.socketPair()
    var pipe = ReaderOfReports(isImpatient: random.happens(onceIn: 8), &random)
    var gpsd = ModelGPSD(client: clientOfGPSD, source: sourceOfGPSD, path: Self.path, &random)
    var rest = log.bytes[...]
    // A long log takes too many turns byte by byte.
    let pieceLength = max(random.pick([1, 7, 256, 2048]), log.bytes.count / 100)
    let reader = LogReader { () throws(LocationError) in
      defer { rest = rest.dropFirst(pieceLength) }
      return Array(rest.prefix(pieceLength))
    }
    var feed = LogFeed(
      reader, to: Socket(taking: source), reportingOn: Socket(taking: client),
      into: ReportPipe(to: pipe.writing, renaming: Self.path, to: name))
    var outcome: LogFeed.Outcome?
    var turns = 0
    while outcome == nil, turns < Self.maximumTurns {
      gpsd.turn(&random)
      outcome = feed.turn()
      if outcome == nil { feed.handle(Self.isReady(feed.sources) ? .signalled : .timedOut) }
      pipe.read(&random)
      turns += 1
    }
    pipe.readAll()
    gpsd.end()
    tally.lines += gpsd.reports.count
    tally.checks += pipe.lines.count
    guard let outcome else { return "it does not end" }
    let check = FeedCheck(
      log: log.contents, read: gpsd.log, reports: gpsd.reports, path: Self.path, name: name,
      mayFail: gpsd.fate != .none, hasReader: !pipe.isClosed)
    return check.complaint(about: outcome, passedOn: pipe.lines)
  }

  private static func isReady(_ sources: [AwaitedDescriptor]) -> Bool {
    sources.contains { source in
      switch source.interest {
      case .reading: Readiness.isReady(source.descriptor, for: POLLIN)
      case .writing: Readiness.isReady(source.descriptor, for: POLLOUT)
      case .hangUp: Readiness.isReady(source.descriptor, for: 0)
      case .readingAndWriting: Readiness.isReady(source.descriptor, for: POLLIN | POLLOUT)
      case .end: Readiness.isReady(source.descriptor, for: Readiness.peerHasEnded)
      }
    }
  }

  private static func socketPair() -> (CInt, CInt) {
    var ends: [CInt] = [-1, -1]
    _ = socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends)
    return (ends[0], ends[1])
  }
}
