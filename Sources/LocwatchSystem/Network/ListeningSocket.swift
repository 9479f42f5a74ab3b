package import Glibc

/// A socket that listens on a local TCP port, by IPv4 or IPv6.
package struct ListeningSocket {
  /// The state of a listening socket in /proc/net/tcp.
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
      let fields = line.split(separator: " ")
      guard fields.count > 7, fields[3] == listening, let user = uid_t(fields[7]) else {
        return nil
      }
      let parts = fields[1].split(separator: ":")
      guard parts.count == 2, UInt16(parts[1], radix: 16) == port else { return nil }
      return ListeningSocket(isLoopback: isLoopback(parts[0]), user: user)
    }
  }

  /// The bytes are in the order of the machine: 0100007F is 127.0.0.1.
  private static func isLoopback(_ address: Substring) -> Bool {
    address.count == 8
      ? address.hasSuffix("7F") : address == "00000000000000000000000001000000"
  }
}
