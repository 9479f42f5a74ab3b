import GPSDLocation
import Glibc
import LocationCore
import Testing

@testable import LocwatchSystem

/// A host that answers nothing: its queue of connections is full.
final class SilentHost {
  let address: HostAddress
  private let silent: Socket
  private let other: Socket

  init() throws {
    let (silent, port) = try Socket.listeningOnLoopback()
    // One may wait, and the kernel drops the packets of who comes next.
    try silent.listen(backlog: 0)
    let other = try Socket(AF_INET)
    #expect(other.connect(toLoopbackPort: port))
    var request = pollfd(fd: silent.descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&request, 1, 20_000) == 1)
    address = try HostAddress.resolve(NetworkAddress(.tcp, host: "127.0.0.1", port: port))[0]
    (self.silent, self.other) = (silent, other)
  }
}
