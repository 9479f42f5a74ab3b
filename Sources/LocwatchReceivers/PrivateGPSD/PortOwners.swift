package import Glibc
package import LocwatchSystem

/// The users whose sockets listen on a local TCP port.
///
/// They tell the system's gpsd from a program of another user that took its port, and could claim
/// any receiver and send any position. gpsd gives up root, but its socket was created by root.
///
/// Three things cannot be checked: which process inherited a socket created by root; whether another
/// process takes the port between this check and the connection; and the owner of a socket whose user
/// a container cannot see, which appears as nobody.
package struct PortOwners: Equatable, Sendable {
  /// `nil` if /proc cannot be read.
  package var users: Set<uid_t>?

  package init(users: Set<uid_t>?) { self.users = users }

  /// Finds the owners of the sockets that listen on a port, by IPv4 or IPv6.
  package init(of port: UInt16, on machine: Machine = .this) {
    users = ListeningSocket.all(of: port, on: machine).map { Set($0.map(\.user)) }
  }

  /// The users that are not trusted: all but root and the user of this process.
  package var strangers: [uid_t] {
    (users ?? []).filter { $0 != 0 && $0 != geteuid() }.sorted()
  }
}
