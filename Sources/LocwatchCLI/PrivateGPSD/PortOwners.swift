import Glibc

/// The users whose sockets listen on a local TCP port.
///
/// They tell the system's gpsd from a program of another user that took its port, and could claim
/// any receiver and send any position. gpsd gives up root, but its socket was created by root.
///
/// Three things cannot be checked: which process inherited a socket created by root; whether another
/// process takes the port between this check and the connection; and the owner of a socket whose user
/// a container cannot see, which appears as nobody.
struct PortOwners: Equatable, Sendable {
  /// `nil` if /proc cannot be read.
  var users: Set<uid_t>?

  /// The state of a listening socket in /proc/net/tcp.
  private static let listening = "0A"
  /// Listening sockets come first in the file, so the rest is not needed.
  private static let maximumSize = 1 << 18

  init(users: Set<uid_t>?) { self.users = users }

  /// Finds the owners of the sockets that listen on a port, by IPv4 or IPv6.
  init(of port: UInt16) {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].compactMap { Self.contents(of: $0) }
    users = tables.isEmpty ? nil : Set(tables.flatMap { Self.owners(of: port, in: $0) })
  }

  /// The users that are not trusted: all but root and the user of this process.
  var strangers: [uid_t] {
    (users ?? []).filter { $0 != 0 && $0 != geteuid() }.sorted()
  }

  /// Returns the owners of the listening sockets in the text of a table.
  static func owners(of port: UInt16, in table: String) -> [uid_t] {
    table.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 7, fields[3] == listening,
        let local = fields[1].split(separator: ":").last, UInt16(local, radix: 16) == port
      else { return nil }
      return uid_t(fields[7])
    }
  }

  private static func contents(of path: String) -> String? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { _ = close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while bytes.count < maximumSize {
      let count = unsafe read(file, &piece, piece.count)
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
