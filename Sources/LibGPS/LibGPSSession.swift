package import EventLoop
public import GPSDLocation
import GPSDProtocol
import Glibc
public import LocationCore

/// A session that connects to gpsd with libgps.
///
/// libgps establishes the connection. The session then reads, writes and polls its descriptor
/// directly, because `gps_read`, `gps_waiting` and `gps_stream` hang, spin or misread input that gpsd
/// does send.
///
/// All sessions wait on one shared thread; none blocks the cooperative pool. Cancelling the task that
/// reads ends its wait immediately.
@safe public actor LibGPSSession: GPSDSession {
  /// The sizes of one receive, in bytes: the first, and the largest, for a backlog.
  private static let chunks = (first: 1024, last: 64 * 1024)

  /// `nil` if the system has no descriptor or thread left for a loop.
  private let loop: EventLoop?
  // Stored, because it is read at every call.
  /// The executor of the thread that all sessions wait on.
  public nonisolated let unownedExecutor: UnownedSerialExecutor

  private(set) var handle: GPSHandle?
  private var arrival: WaitPoint?
  private var framer = LineFramer()
  /// The size of the next receive. It grows while gpsd sends more, so that a source that does not takes
  /// little memory.
  private var chunk = LibGPSSession.chunks.first
  /// When bytes were last received.
  private var received = Moment.past
  /// The error that ended the connection; `nil` while it is open.
  private var ending: GPSDError?

  /// Creates a session that is not connected.
  public init() { self.init(on: EventLoop.shared) }

  /// Creates a session on a given event loop. A task that runs on that loop receives reports without
  /// a change of thread.
  package init(on loop: EventLoop?) {
    self.loop = loop
    unsafe unownedExecutor =
      loop?.asUnownedSerialExecutor() ?? LoopReplacement.shared.unownedExecutor
  }

  /// Connects to gpsd, within 3 s per address and 10 s in total.
  ///
  /// The corresponding C function is `gps_open`. It cannot be interrupted: an attempt that exceeds
  /// the limit is abandoned and finishes on a thread of its own.
  ///
  /// - Throws: `GPSDError` if the connection fails or the task is cancelled.
  public func open(_ endpoint: GPSDEndpoint) async throws(GPSDError) {
    close()
    guard let loop else {
      throw GPSDError(
        .cannotConnect, "no file descriptor or thread is left to connect to \(endpoint)")
    }
    let handle =
      if let connection = endpoint.connection {
        try GPSHandle(copying: connection)
      } else {
        try await Connector(clock: .live).connect(to: endpoint, WaitPoint(on: loop))
      }
    arrival = WaitPoint(on: loop, descriptor: handle.descriptor)
    self.handle = handle
  }

  /// Sends one whole command.
  ///
  /// - Throws: `GPSDError` if the command could not be sent: gpsd closed the connection, or does not
  ///   read from it.
  public func send(_ command: GPSDCommand) throws(GPSDError) {
    guard let handle else { throw Self.notConnected }
    var bytes = Array(command.text.utf8)[...]
    while !bytes.isEmpty {
      // A command is far smaller than a socket's buffer: if it does not fit, gpsd is stuck.
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(
          handle.descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
      }
      let number = errno
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if number != EINTR {
        throw GPSDError(
          .cannotSend, systemError: .errno(number), "cannot send: \(Self.text(of: number))")
      }
    }
  }

  /// Waits for the next lines.
  ///
  /// - Parameter deadline: When to stop waiting, by `LocationClock.live`; `nil` waits indefinitely. A
  ///   deadline in the past returns lines that have already been received.
  /// - Returns: All lines of one receive; `TimedRead.ended` if the task is cancelled.
  /// - Throws: `GPSDError` if gpsd ended the connection, or reading it failed.
  public func read(until deadline: Moment?) async throws(GPSDError) -> TimedRead<GPSDLines> {
    while true {
      guard let handle, let arrival else { throw Self.notConnected }
      if let read = try takeReceived(from: handle, until: deadline) { return read }
      if await arrival.wait(until: deadline) == .signalled { _ = receive(from: handle) }
    }
  }

  /// Returns what there is without waiting; `nil` if the deadline has not passed.
  // Not inlined: its variables would be in the frame of each task that waits.
  @inline(never)
  private func takeReceived(
    from handle: GPSHandle, until deadline: Moment?
  ) throws(GPSDError) -> TimedRead<GPSDLines>? {
    if Task.isCancelled { return .ended }
    if let lines = try takeLines() { return lines }
    guard let deadline, case let now = LocationClock.live.now, deadline <= now else { return nil }
    // One receive, because a line without end can arrive faster than it is read.
    if receive(from: handle), let lines = try takeLines() { return lines }
    return .timedOut(at: now)
  }

  /// Ends the connection. The corresponding C function is `gps_close`.
  public func close() {
    arrival = nil
    handle = nil
    framer = LineFramer()
    chunk = Self.chunks.first
    ending = nil
  }

  /// Receives available bytes or the end of the connection. Returns `false` if there is neither.
  private func receive(from handle: GPSHandle) -> Bool {
    let count = unsafe framer.receive(upTo: chunk) {
      unsafe recv(handle.descriptor, $0, $1, CInt(MSG_DONTWAIT))
    }
    let number = errno
    switch count {
    case 1...:
      received = LocationClock.live.now
      if count == chunk { chunk = min(2 * chunk, Self.chunks.last) }
    case 0: ending = GPSDError(.hungUp, "closed by gpsd")
    case _ where number == EAGAIN || number == EINTR: return false
    case _: ending = GPSDError(.cannotRead, systemError: .errno(number), Self.text(of: number))
    }
    return true
  }

  /// Returns buffered lines, or the number of discarded bytes; `nil` if there are none.
  ///
  /// - Throws: The error that ended the connection, after its last lines.
  private func takeLines() throws(GPSDError) -> TimedRead<GPSDLines>? {
    let discardedBytes: Int
    switch framer.next() {
    case .lines(let bytes):
      return .value(
        GPSDLines(bytes: bytes.withoutOwnLines, received: received), at: received)
    case .discarded(let count):
      discardedBytes = count
    case nil:
      guard let ending else { return nil }
      // The end of the connection may cut off a line.
      discardedBytes = framer.finish()
      guard discardedBytes > 0 else { throw ending }
    }
    return .value(
      GPSDLines(bytes: [], received: received, discardedBytes: discardedBytes), at: received)
  }

  private static let notConnected = GPSDError(.notConnected, "there is no connection to gpsd")

  private static func text(of number: CInt) -> String { unsafe String(cString: strerror(number)) }
}

/// The actor whose executor runs a session without a loop, which can do no more than fail.
private actor LoopReplacement {
  static let shared = LoopReplacement()
}

extension GPSDLocationSource {
  /// Creates a source that connects to gpsd with libgps.
  ///
  /// - Parameters:
  ///   - endpoint: The address of gpsd; by default that of the gpsd on this machine.
  ///   - device: The path of the only receiver to report, on gpsd's machine; `nil` reports every
  ///     receiver.
  ///   - kinds: The reports to pass on as `LocationEvent.other(_:)`: any class of gpsd's reports.
  ///     `TOFF` and `PPS` are requested from gpsd, which otherwise sends none.
  ///   - statistics: Counts incoming reports and malformed lines.
  public init(
    endpoint: GPSDEndpoint = GPSDEndpoint(), device: String? = nil,
    kinds: Set<ServiceReport.Kind> = [], statistics: GPSDStatistics? = nil
  ) {
    let loop = EventLoop.shared
    self.init(
      endpoint: endpoint, device: device, kinds: kinds, satellites: true, statistics: statistics,
      clock: loop?.clock ?? .live, executor: loop, makeSession: { LibGPSSession() })
  }
}
