import GPSDLocation
import Glibc
import LocationCore

/// What a receiver sent, such as NMEA or UBX. A private gpsd reads it from a pseudo-terminal, and its
/// reports are a recording without receive times.
///
/// The log is fed as fast as gpsd takes it, but only while all that gpsd has sent is read: gpsd drops
/// reports that its client has no room for.
final class RawLog: Sendable {
  /// The endings of files that can be anything but gpsd's reports.
  private static let endings: Set<String> = ["nmea", "ubx", "log", "raw", "bin", "sbf", "tsip"]
  /// How many bytes are written at once.
  private static let piece = 256
  /// How long gpsd takes to open the terminal at the most, and how long it is silent after the end, in
  /// milliseconds.
  private static let patience = (opening: CInt(10_000), end: CInt(500))

  private let log: RecordingFile
  private let terminal: PseudoTerminal
  private let daemon: PrivateDaemon
  private let reports: Pipe

  private struct Pipe {
    let reading: CInt
    let writing: CInt
  }

  /// Returns whether a file is what a receiver sent, judged by its beginning and its name.
  static func isRaw(_ file: RecordingFile) -> Bool {
    let head = dropComments(file.head(upTo: 4096)[...])
    switch ForeignFile(Array(head)) {
    case .nmea, .ubx: return true
    // iTalk begins like XML.
    case .unknown, .xml:
      guard let first = head.first, first != UInt8(ascii: "{") else { return false }
      let ending = file.name.split(separator: ".").last.map { $0.lowercased() }
      return ending.map(endings.contains) ?? false
    case .gzip, .gpx, .stampedJSON, .records: return false
    }
  }

  /// - Throws: ``Failure`` if gpsd is not installed, or if the system has no terminal or pipe left.
  init(_ log: RecordingFile, environment: Environment) throws(Failure) {
    self.log = log
    terminal = try PseudoTerminal()
    daemon = try PrivateDaemon(
      for: try SerialDevice(path: terminal.path), environment: environment)
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      throw Failure(.fault, "cannot create a pipe: \(systemText(errno))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    reports = Pipe(reading: ends[0], writing: ends[1])
  }

  /// Starts gpsd and returns its reports, which end when the log has been read.
  func open(by clock: LocationClock) async throws(Failure) -> RecordingFile {
    do throws(GPSDError) {
      let endpoint = try await daemon.restart(by: clock)
      let socket = try Socket(AF_INET)
      guard socket.connect(toLoopbackPort: endpoint.port) else { throw .cannotStart(errno) }
      let isStarted = BlockingThread.start { [self] in
        feed(socket)
        _ = close(reports.writing)
      }
      guard isStarted else { throw .cannotStart(EAGAIN) }
    } catch {
      throw Failure(.unavailable, error.detail)
    }
    return RecordingFile(pipe: reports.reading, name: log.name)
  }

  /// Stops gpsd, and so the thread.
  func stop() { daemon.stop() }

  private func feed(_ socket: Socket) {
    var reports = ReportPipe(
      from: socket, to: reports.writing, renaming: terminal.path, to: log.name)
    guard reports.watch(within: Self.patience.opening), terminal.isOpen,
      let bytes = try? log.contents()
    else { return }
    var rest = Self.dropComments(bytes[...])
    while reports.isOpen {
      // Whatever gpsd has sent is passed on before it gets more.
      if reports.pass(within: rest.isEmpty ? Self.patience.end : 0) { continue }
      if rest.isEmpty {
        if terminal.unread == 0 { return }
      } else {
        guard let count = terminal.write(rest.prefix(Self.piece)) else { return }
        rest = rest.dropFirst(count)
        if count == 0 { _ = reports.pass(within: 1) }
      }
    }
  }

  /// Returns the bytes after the comments that the logs of gpsd's own tests begin with.
  private static func dropComments(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while rest.first == UInt8(ascii: "#"), let end = rest.firstIndex(of: 0x0A) {
      rest = rest[(end + 1)...]
    }
    return rest
  }
}
