import GPSDLocation
import Glibc
import LocationCore
import LocwatchTestSupport
import Testing

@testable import LocwatchSystem

/// Fault 116.
@Suite struct `A sole connection` {
  /// Whether a socket is connected to the port soon, or has been refused.
  private func isAnswered(_ other: Socket, by port: UInt16) -> Bool {
    if other.connect(toLoopbackPort: port) || errno != EINPROGRESS { return true }
    var request = pollfd(fd: other.descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, 300) > 0
  }

  @Test(arguments: [false, true])
  func `waits to be accepted, and passes on what is sent both ways, and its end`(
    isInFiles: Bool
  ) throws {
    let (client, listener): (Socket, Socket)
    if isInFiles {
      (client, listener) = try Socket.soleConnection(in: "/tmp")
    } else {
      (client, listener, _) = try Socket.soleConnection()
    }
    var server: Socket? = Socket(taking: accept(listener.descriptor, nil, nil))
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(client.send("?VERSION;") && server?.send("3.22") == true)
    #expect(recv(server?.descriptor ?? -1, &bytes, bytes.count, 0) == 9)
    #expect(recv(client.descriptor, &bytes, bytes.count, 0) == 4)
    #expect(!client.hasHungUp)
    server = nil
    #expect(recv(client.descriptor, &bytes, bytes.count, 0) == 0 && client.hasHungUp)
  }

  @Test func `ends if the listening socket is closed before it is accepted`() throws {
    func make() throws -> Socket { try Socket.soleConnection().client }
    #expect(try make().waitForEnd())
  }

  @Test func `of files leaves none, so that nobody finds it`() throws {
    let folder = try TemporaryFolder()
    let ends = try Socket.soleConnection(in: folder.path)
    #expect(folder.names == [])
    #expect(throws: LocationError.self) { try Socket.soleConnection(in: "\(folder.path)/none") }
    withExtendedLifetime(ends) {}
  }

  @Test(arguments: [false, true])
  func `is the only one that can be made`(isAccepted: Bool) throws {
    let (client, listener, port) = try Socket.soleConnection()
    let accepted = isAccepted ? try listener.accept() : nil
    let other = try Socket(AF_INET, options: SOCK_NONBLOCK.rawValue)
    #expect(!isAnswered(other, by: port))
    withExtendedLifetime((client, accepted)) {}
  }

  /// Checking only the port would admit a peer with the same port at another address of the loopback interface.
  @Test func `cannot be imitated from another address with the same port`() throws {
    let (client, listener, port) = try Socket.soleConnection()
    var own = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let other = try Socket(AF_INET, options: SOCK_NONBLOCK.rawValue)
    let status = withUnsafeMutablePointer(to: &own) { own in
      own.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        getsockname(client.descriptor, address, &length)
      }
    }
    #expect(status == 0)
    own.sin_addr.s_addr = UInt32(0x7f00_0002).bigEndian
    let isBound = withUnsafePointer(to: own) { own in
      own.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(other.descriptor, $0, length) == 0
      }
    }
    try #require(isBound)
    #expect(!isAnswered(other, by: port))
    withExtendedLifetime(listener) {}
  }
}
