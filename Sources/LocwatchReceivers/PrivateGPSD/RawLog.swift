import EventLoop
package import GPSDLocation
import Glibc
package import LocationCore
package import LocwatchSystem
import Synchronization

/// What a receiver sent, such as NMEA or UBX. A private gpsd reads it from a port of the loopback
/// interface, and its reports are a recording without receive times.
package final class RawLog: Sendable {
  /// How many bytes gpsd is given at once: its buffer holds eight times as many.
  private static let piece = 2048
  /// How long gpsd may take until it reads the log.
  private static let patience = Nanoseconds.seconds(20)

  private let log: RecordingFile
  private let listener: GPSDPort
  private let daemon: PrivateDaemon
  private let reports: PipeDescriptors
  private let outcome = Mutex<Failure?>(nil)
  private let correctsDates = Mutex(false)

  /// - Throws: ``Failure`` if gpsd is not installed, if nobody can say which process reads the log, or
  ///   if the system has no port or pipe left.
  package init(_ log: RecordingFile, environment: Environment) throws(Failure) {
    self.log = log
    listener = try GPSDPort(for: "\(log.name): a replay of what a receiver sent")
    daemon = try PrivateDaemon(
      for: PrivateDaemon.Receiver(path: listener.path, options: ["-b"]), environment: environment)
    guard let reports = PipeDescriptors(O_NONBLOCK) else {
      throw Failure(.fault, "cannot create a pipe: \(systemText(errno))")
    }
    self.reports = reports
  }

  /// Starts gpsd and returns its reports, which end when the log has been read, or cannot be.
  package func open(by clock: LocationClock) async throws(Failure) -> RecordingFile {
    do throws(LocationError) {
      // A loop of its own: that of the command stands still while a replay waits for its reader, and gpsd has to be
      // given something each minute.
      guard let loop = EventLoop.shared else {
        throw LocationError.system(EAGAIN).described(as: "cannot create the event loop")
      }
      let client = try await daemon.restart(by: clock)
      Task(executorPreference: loop) { [self] in
        let failure = await feed(client, at: WaitPoint(on: loop))
        outcome.withLock { $0 = failure }
        _ = close(reports.writing)
      }
    } catch {
      throw Failure(.unavailable, "\(error.detail)")
    }
    return RecordingFile(pipe: reports.reading, name: log.name)
  }

  /// The file's name, for messages.
  package var name: String { log.name }
  /// Whether what was read of a compressed log is damaged.
  package var isDamaged: Bool { log.isDamaged }

  /// Why the reports are not those of the whole log, or there are none; known when they have ended.
  package var failure: Failure? { outcome.withLock(\.self) }
  /// Whether dates of gpsd were replaced by those of the log so far.
  package var hasCorrectedDates: Bool { correctsDates.withLock(\.self) }

  /// Stops gpsd, and so the feed.
  package func stop() { daemon.stop() }

  private func feed(_ client: Socket, at point: WaitPoint) async -> Failure? {
    let source: Socket
    do throws(LocationError) {
      source = try await connection(beside: client, at: point)
    } catch {
      return Failure(.unavailable, "\(log.name): \(daemon.reason(of: error).detail)")
    }
    let reader = LogReader(input: log.input) { [log] () throws(LocationError) in
      try log.nextBytes(upTo: Self.piece)
    }
    let reports = ReportPipe(to: reports.writing, renaming: listener.path, to: log.name)
    var feed = LogFeed(reader, to: source, reportingOn: client, into: reports)
    feed.willCorrectDates = { [self] in correctsDates.withLock { $0 = true } }
    switch await feed.run(at: point) {
    case .complete(hasReports: true), .unread:
      return nil
    case .complete(hasReports: false):
      return Failure(.badData, "\(log.name): gpsd finds no receiver's data in it")
    case .incomplete(let reason):
      // What gpsd is fed is not compressed.
      let size = log.isCompressed ? "" : log.size.map { " of \($0)" } ?? ""
      return Failure(
        .unavailable,
        "\(log.name): \(reason), after \(feed.fedCount)\(size) bytes: the output is incomplete")
    }
  }

  private func connection(
    beside client: Socket, at point: WaitPoint
  ) async throws(LocationError) -> Socket {
    let deadline = LocationClock.live.now.later(by: Self.patience)
    let source = try await listener.accept(
      beside: client, until: deadline, at: point, isGPSD: daemon.isPeer)
    guard let source else { throw LocationError(.unreachable, "gpsd does not read it") }
    return source
  }
}
