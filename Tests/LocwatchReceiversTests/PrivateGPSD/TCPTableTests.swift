import Foundation
import Glibc
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// Fault 83.
@Suite struct `The table of TCP sockets` {
  private static let header =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode"
  private static let here = String(format: "%08X", UInt32(littleEndian: 0x0100_007f))

  private func line(
    _ local: String, _ remote: String, state: String = "01", user: Int = 1000, inode: Int = 77
  ) -> String {
    "   1: \(local) \(remote) \(state) 00000000:00000000 00:00000000 00000000  \(user)        0 "
      + "\(inode) 1 ffff8b4c 20 4 30 10 -1"
  }

  private func owner(in line: String) -> TCPTable.Owner? {
    TCPTable.owner(
      of: SocketAddress(port: 50_000), connectedTo: SocketAddress(port: 2947),
      in: Array(line.utf8)[...])
  }

  private let end = "\(here):C350"
  private let port = "\(here):0B83"

  @Test func `names the owner of an open connection`() {
    #expect(owner(in: line(end, port)) == TCPTable.Owner(user: 1000, inode: 77))
    #expect(owner(in: line(end, port, user: 0, inode: 1)) == TCPTable.Owner(user: 0, inode: 1))
  }

  @Test func `has nobody for the other end, another port or another address`() {
    #expect(owner(in: line(port, end)) == nil)
    #expect(owner(in: line("\(Self.here):C351", port)) == nil)
    #expect(owner(in: line(end, "\(Self.here):0B84")) == nil)
    #expect(owner(in: line("02000000:C350", port)) == nil)
    #expect(owner(in: line(end, "02000000:0B83")) == nil)
  }

  @Test(arguments: ["02", "04", "05", "06", "08", "0A"])
  func `has nobody for a connection that is not open`(state: String) {
    #expect(owner(in: line(end, port, state: state)) == nil)
  }

  @Test func `has nobody for a socket that was closed, which appears as root's`() {
    #expect(owner(in: line(end, port, user: 0, inode: 0)) == nil)
  }

  @Test func `needs no more of a line than the inode`() {
    let line = "1: \(end) \(port) 01 a b c 1000 0 77"
    #expect(owner(in: line) == TCPTable.Owner(user: 1000, inode: 77))
    #expect(owner(in: String(line.dropLast(3))) == nil)
    #expect(owner(in: "1: \(end):1 \(port) 01 a b c 1000 0 77") == nil)
    #expect(owner(in: "1: 0\(end) \(port) 01 a b c 1000 0 77") == nil)
  }

  @Test(arguments: ["", "cut", header, "1: x y 01 a b c 0 d 5 e", "1: 7F:1 7F:2 01 a b c 0 d 5 e"])
  func `has nobody for other lines`(line: String) {
    #expect(owner(in: line) == nil)
  }

  @Test func `is read whole, however long it is`() throws {
    let path = NSTemporaryDirectory() + "locwatch-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let others = (0..<5000).map { line(String(format: "\(Self.here):%04X", $0), port, inode: $0) }
    func look() -> TCPTable.Owner? {
      TCPTable(path: path).owner(
        of: SocketAddress(port: 50_000), connectedTo: SocketAddress(port: 2947))
    }
    let lines = [Self.header] + others
    try Data((lines + [line(end, port), ""]).joined(separator: "\n").utf8).write(
      to: URL(filePath: path))
    #expect(look() == TCPTable.Owner(user: 1000, inode: 77))
    try Data((lines + [""]).joined(separator: "\n").utf8).write(to: URL(filePath: path))
    #expect(look() == nil)
    try Data(repeating: 0x78, count: 1_000_000).write(to: URL(filePath: path))
    #expect(look() == nil)
    try FileManager.default.removeItem(atPath: path)
    #expect(look() == nil)
    #expect(!TCPTable(path: path).isReadable && TCPTable().isReadable)
  }

  @Test func `of the local machine has both ends of a connection`() throws {
    let listener = try GPSDPort()
    let socket = try Socket(AF_INET)
    #expect(socket.connect(toLoopbackPort: listener.port))
    var name = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(socket.descriptor, $0, &length)
      }
    }
    let own = SocketAddress(port: UInt16(bigEndian: name.sin_port))
    var status = stat()
    #expect(fstat(socket.descriptor, &status) == 0)
    var owner: TCPTable.Owner?
    // A look may miss a connection while others come and go.
    for _ in 0..<1000 where owner == nil {
      owner = TCPTable().owner(of: own, connectedTo: SocketAddress(port: listener.port))
    }
    #expect(owner == TCPTable.Owner(user: geteuid(), inode: UInt64(status.st_ino)))
  }
}
