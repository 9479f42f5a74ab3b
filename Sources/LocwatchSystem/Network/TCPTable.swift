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
    // No line is that long.
    var lines = LineSplitter(maximum: Self.piece)
    var piece = [UInt8](repeating: 0, count: Self.piece)
    while case let count = unsafe read(file, &piece, piece.count), count > 0 {
      lines.append(piece[..<count])
      while let line = lines.next() {
        if let owner = Self.owner(of: end, connectedTo: other, in: line.bytes) {
          return owner
        }
      }
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
    guard let entry = SocketEntry(String(decoding: line, as: UTF8.self)),
      entry.state == established,
      SocketAddress(entry.own) == end, SocketAddress(entry.other) == other,
      let inode = entry.inode, inode != 0
    else { return nil }
    return Owner(user: entry.user, inode: inode)
  }
}

/// A socket that listens on a local TCP port, by IPv4 or IPv6.
package struct ListeningSocket {
  /// The state of a listening socket.
  private static let listening = "0A"

  /// Whether only programs of the same machine can connect to it.
  package let isLoopback: Bool
  /// To whom it belongs.
  package let user: uid_t

  /// Returns the sockets that listen on a port of a machine; `nil` if it has no table of them.
  package static func all(of port: UInt16, on machine: Machine) -> [ListeningSocket]? {
    // They come first in the table, of which the rest is not needed.
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].compactMap(machine.text(of:))
    return tables.isEmpty ? nil : tables.flatMap { all(of: port, in: $0) }
  }

  /// Returns the sockets that listen on a port, from the text of a table.
  package static func all(of port: UInt16, in table: String) -> [ListeningSocket] {
    table.split(separator: "\n").compactMap { line in
      guard let entry = SocketEntry(line), entry.state == listening, entry.own.port == port else {
        return nil
      }
      return ListeningSocket(isLoopback: entry.own.isLoopback, user: entry.user)
    }
  }
}

extension Machine {
  /// Returns the processes that receive what comes to a port by UDP, as far as that can be seen.
  package func processes(receivingOnUDPPort port: UInt16) -> [pid_t] {
    let tables = ["/proc/net/udp", "/proc/net/udp6"].compactMap(text(of:))
    let links = tables.flatMap { $0.split(separator: "\n") }.compactMap { SocketEntry($0) }
      .filter { $0.own.port == port }.compactMap(\.inode).map { "socket:[\($0)]" }
    guard !links.isEmpty else { return [] }
    return processIDs.filter { process in
      let folder = "/proc/\(process)/fd"
      return names(in: folder).contains { name in
        destination(of: "\(folder)/\(name)").map(links.contains) ?? false
      }
    }
  }
}

/// A line of the table of TCP, or of that of UDP.
private struct SocketEntry {
  /// An address like `0100007F:0B83`, in the order of the machine: this one is 127.0.0.1.
  struct Address {
    let host: Substring
    let port: UInt16

    init?(_ text: Substring) {
      let parts = text.split(separator: ":")
      guard parts.count == 2, let port = UInt16(parts[1], radix: 16) else { return nil }
      (host, self.port) = (parts[0], port)
    }

    var isLoopback: Bool {
      host.count == 8 ? host.hasSuffix("7F") : host == "00000000000000000000000001000000"
    }
  }

  let own: Address
  let other: Address
  let state: Substring
  let user: uid_t
  /// `nil` in a line that is cut off.
  let inode: UInt64?

  init?<Line: StringProtocol>(_ line: Line) where Line.SubSequence == Substring {
    let fields = line.split(separator: " ")
    guard fields.count > 7, let own = Address(fields[1]), let other = Address(fields[2]),
      let user = uid_t(fields[7])
    else { return nil }
    (self.own, self.other, state, self.user) = (own, other, fields[3], user)
    inode = fields.count > 9 ? UInt64(fields[9]) : nil
  }
}

extension SocketAddress {
  fileprivate init?(_ address: SocketEntry.Address) {
    guard address.host.utf8.count == 8, let host = UInt32(address.host, radix: 16) else {
      return nil
    }
    self.init(host: host, port: address.port)
  }
}
