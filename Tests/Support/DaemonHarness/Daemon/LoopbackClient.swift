import Glibc
package import SimulatedReceiver

/// A plain client of a server on a loopback port.
package final class LoopbackClient: Sendable {
  /// What the server sent.
  package let output = CollectedOutput()
  private let socket: LoopbackSocket

  /// Connects.
  ///
  /// - Parameters:
  ///   - patience: When to give up, with EINPROGRESS.
  ///   - onBytes: Is given what comes, as soon as it comes, on a thread of the client's.
  package init(
    port: Int, patience: Duration = .seconds(5),
    onBytes: @escaping @Sendable ([UInt8]) -> Void = { _ in }
  ) throws(SystemError) {
    socket = try LoopbackSocket()
    try socket.connect(port: port, patience: patience)
    output.collect(from: socket.descriptor, of: socket, onBytes: onBytes)
  }

  /// Closes the connection, which the collecting thread would else keep.
  deinit { shutdown(socket.descriptor, CInt(SHUT_RDWR)) }

  /// Sends a few bytes, such as a command to gpsd.
  package func send(_ text: String) throws(SystemError) {
    let bytes = Array(text.utf8)
    let count = Glibc.send(socket.descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    guard count == bytes.count else { throw SystemError("send") }
  }
}
