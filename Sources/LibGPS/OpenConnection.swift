import EventLoop
import GPSDLocation
import GPSDProtocol
import Glibc
import LocationCore

/// An open connection to gpsd: what has arrived, and where to wait for more.
struct OpenConnection {
  /// The sizes of one receive, in bytes: the first, and the largest, for a backlog.
  private static let chunks = (first: 1024, last: 64 * 1024)

  // Released before the handle closes the descriptor that it watches.
  private let arrival: WaitPoint
  let handle: GPSHandle
  /// Whether a wait has come before the next receive. Without one there would be nothing to receive, and a reader
  /// that never waits would keep all others from running.
  private var hasWaited = true
  private var framer = LineFramer()
  /// The size of the next receive. It grows while gpsd sends more, so that a source that does not takes little
  /// memory.
  private var chunk = OpenConnection.chunks.first
  /// When bytes were last received.
  private var received = Moment.past
  /// The error that ended the connection; `nil` while it is open.
  private(set) var ending: LocationError?

  init(_ handle: GPSHandle, on loop: EventLoop) {
    self.handle = handle
    arrival = WaitPoint(on: loop, descriptor: handle.descriptor)
  }

  /// Returns all lines of one receive, or the number of discarded bytes; `nil` if a wait has to come first.
  ///
  /// - Throws: The error that ended the connection, after its last lines.
  mutating func takeLines(at now: Moment) throws(LocationError) -> GPSDLines? {
    if let lines = try takeReceived() { return lines }
    guard hasWaited else { return nil }
    // One receive, because a line without end can arrive faster than it is read.
    hasWaited = false
    receive(at: now)
    return try takeReceived()
  }

  /// Returns where to wait before the next receive.
  mutating func prepareWait() -> WaitPoint {
    hasWaited = true
    return arrival
  }

  /// Receives available bytes or the end of the connection.
  private mutating func receive(at now: Moment) {
    let count = unsafe framer.receive(upTo: chunk) {
      unsafe recv(handle.descriptor, $0, $1, CInt(MSG_DONTWAIT))
    }
    let number = errno
    switch count {
    case 1...:
      received = now
      if count == chunk { chunk = min(2 * chunk, Self.chunks.last) }
    case 0: ending = LocationError(.disconnected, "closed by gpsd")
    case _ where number == EAGAIN || number == EINTR: break
    case _: ending = LocationError(.disconnected, systemError: .errno(number), systemText(number))
    }
  }

  private mutating func takeReceived() throws(LocationError) -> GPSDLines? {
    let discardedBytes: Int
    switch framer.next() {
    case .lines(let bytes):
      return GPSDLines(bytes: bytes.withoutOwnLines, received: received)
    case .discarded(let count):
      discardedBytes = count
    case nil:
      guard let ending else { return nil }
      // The end of the connection may cut off a line.
      discardedBytes = framer.finish()
      guard discardedBytes > 0 else { throw ending }
    }
    return GPSDLines(bytes: [], received: received, discardedBytes: discardedBytes)
  }

  /// Sends all bytes of a command.
  func send(_ text: String) throws(LocationError) {
    var bytes = Array(text.utf8)[...]
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
        throw LocationError(
          .disconnected, systemError: .errno(number), "cannot send: \(systemText(number))")
      }
    }
  }
}
