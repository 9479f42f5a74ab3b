package import Glibc

/// The kernel's table of all sockets of TCP over IPv4, in /proc/net/tcp.
package struct TCPTable {
  /// To whom a socket belongs.
  package struct Owner: Equatable {
    package var user: uid_t
    /// The number by which the descriptors of processes in /proc name the socket.
    package var inode: UInt64
  }

  /// The state of an open connection.
  private static let established = "01"
  private static let path = "/proc/net/tcp"
  private static let piece = 4096

  private let path: String

  package init(path: String = Self.path) { self.path = path }

  /// Whether there is a table.
  package var isReadable: Bool { unsafe access(path, R_OK) == 0 }

  /// Returns the owner of the socket at one end of an open connection; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - end: The address of the socket itself.
  ///   - other: The address to which it is connected.
  package func owner(of end: SocketAddress, connectedTo other: SocketAddress) -> Owner? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { _ = close(file) }
    var rest: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: Self.piece)
    while case let count = unsafe read(file, &piece, piece.count), count > 0 {
      rest += piece[..<count]
      while let line = rest[...].firstTableLine {
        if let owner = Self.owner(of: end, connectedTo: other, in: line) { return owner }
        rest.removeFirst(line.count + 1)
      }
      // No line is that long.
      if rest.count > Self.piece { return nil }
    }
    return nil
  }

  /// Returns the owner of a socket if a line of the table is about it.
  ///
  /// A socket that its process has closed appears as root's until the connection has ended. It has no
  /// inode, and belongs to nobody.
  package static func owner(
    of end: SocketAddress, connectedTo other: SocketAddress, in line: ArraySlice<UInt8>
  ) -> Owner? {
    let fields = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    guard fields.count > 9, fields[3] == established,
      SocketAddress(tableEntry: fields[1]) == end, SocketAddress(tableEntry: fields[2]) == other,
      let user = uid_t(fields[7]), let inode = UInt64(fields[9]), inode != 0
    else { return nil }
    return Owner(user: user, inode: inode)
  }
}

extension SocketAddress {
  /// Reads an address like `0100007F:0B83`.
  fileprivate init?(tableEntry text: String) {
    let parts = text.split(separator: ":")
    guard parts.count == 2, parts[0].utf8.count == 8, let host = UInt32(parts[0], radix: 16),
      let port = UInt16(parts[1], radix: 16)
    else { return nil }
    self.init(host: host, port: port)
  }
}

extension ArraySlice<UInt8> {
  /// The bytes before the first line end; `nil` if there is none.
  fileprivate var firstTableLine: ArraySlice<UInt8>? {
    firstIndex(of: 0x0A).map { self[..<$0] }
  }
}
