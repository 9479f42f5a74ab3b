import EventLoop
import GPSDLocation
import Glibc
import LocationCore
package import LocwatchSystem

/// Sockets whose peers see each call at once: a connection waits to be accepted, bytes can be read, and the end is
/// there as soon as the call returns. TCP and UDP do not promise that, not even over the loopback interface: on a busy
/// machine the kernel delivers a packet later.
extension Socket {
  /// Binds the socket, one of AF_UNIX, to a free address that is in no file system ("autobind" in unix(7)).
  ///
  /// - Returns: Its address.
  package func bindToLocalAddress() throws -> HostAddress {
    var address = sockaddr()
    address.sa_family = sa_family_t(AF_UNIX)
    guard Glibc.bind(descriptor, &address, socklen_t(MemoryLayout<sa_family_t>.size)) == 0,
      let address = HostAddress({ getsockname(descriptor, $0, &$1) == 0 ? () : nil })
    else { throw LocationError.system(errno) }
    return address
  }

  /// Returns a socket that listens at such an address and never blocks, and the address.
  package static func listeningLocally() throws -> (socket: Socket, address: HostAddress) {
    let socket = try Socket(AF_UNIX, options: SOCK_NONBLOCK.rawValue)
    let address = try socket.bindToLocalAddress()
    try socket.listen(backlog: 128)
    return (socket, address)
  }

  /// Ends the connection, or refuses those to come.
  ///
  /// Closing is not enough while another test starts a process: until that runs its program, it has a copy of each
  /// descriptor.
  package func hangUp() { shutdown(descriptor, CInt(SHUT_RDWR)) }

  /// Waits until the peer has closed its end, which takes longer while another test starts a process.
  ///
  /// - Returns: Whether that was the case within 20 s.
  package func waitForEnd() -> Bool {
    // POLLRDHUP, which Glibc declares for other standards than Swift's.
    var request = pollfd(fd: descriptor, events: 0x2000, revents: 0)
    return poll(&request, 1, 20_000) == 1
  }
}

extension [AwaitedDescriptor] {
  /// Waits as a loop would, and returns whether one of them is ready.
  package func areReady(within milliseconds: CInt = 0) -> Bool {
    var requests = map { source in
      let events: CInt =
        switch source.interest {
        case .reading: POLLIN
        case .writing: POLLOUT
        case .hangUp: 0
        case .readingAndWriting: POLLIN | POLLOUT
        case .end: 0x2000
        }
      return pollfd(fd: source.descriptor, events: Int16(events), revents: 0)
    }
    return poll(&requests, nfds_t(requests.count), milliseconds) > 0
  }
}
