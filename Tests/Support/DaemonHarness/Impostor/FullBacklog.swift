import Glibc
package import SimulatedReceiver

/// A port that takes no more connections, and refuses none: connecting to it does not end.
package final class FullBacklog: Sendable {
  package let port: Int
  private let sockets: [LoopbackSocket]

  package init() throws(SystemError) {
    let listener = try LoopbackSocket()
    try listener.listen(backlog: 0)
    port = listener.localPort
    var sockets = [listener]
    // A backlog of none has room for one; the others wait for it in vain.
    for _ in 0..<3 {
      let client = try LoopbackSocket(isBlocking: false)
      do { try client.connect(port: port) } catch  where error.code == EINPROGRESS {}
      sockets.append(client)
    }
    self.sockets = sockets
  }
}
