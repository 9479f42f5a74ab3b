import GPSDLocation
import Glibc

@testable import LocwatchSystem

/// A host that answers nothing: its queue of connections is full.
final class SilentHost {
  let port: UInt16
  private let sockets: [Socket]

  init() throws {
    let (silent, port) = try Socket.listeningOnLoopback()
    try silent.listen(backlog: 0)
    let others = try (0..<3).map { _ in
      let other = try Socket(AF_INET, options: SOCK_NONBLOCK.rawValue)
      _ = other.connect(toLoopbackPort: port)
      return other
    }
    self.port = port
    sockets = [silent] + others
  }
}
