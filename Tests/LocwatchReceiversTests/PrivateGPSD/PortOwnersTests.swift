import Glibc
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// Fault 45: whose socket listens on gpsd's port.
@Suite struct PortOwnersTests {
  private static let table = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 0100007F:0B83 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 52 1
       1: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 53 1
       2: 0200007F:0B83 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 54 1
       3: 0100007F:0B83 0100007F:C350 01 00000000:00000000 00:00000000 00000000   102        0 55 1
       4: 0100007F:C350 0100007F:0B83 01 00000000:00000000 00:00000000 00000000  1002        0 56 1
    cut
    """

  private static func owners(of port: UInt16, in table: String) -> [uid_t] {
    ListeningSocket.all(of: port, in: table).map(\.user)
  }

  @Test func `Only those that listen there count`() {
    #expect(Self.owners(of: 2947, in: Self.table) == [0, 1000])
    #expect(Self.owners(of: 22, in: Self.table) == [1001])
    #expect(Self.owners(of: 23, in: Self.table) == [])
  }

  @Test func `A line that is cut off counts only with its user`() {
    let line = "0: 0100007F:0B83 00000000:0000 0A a b c"
    #expect(Self.owners(of: 2947, in: line) == [])
    #expect(Self.owners(of: 2947, in: line + " 1000") == [1000])
    #expect(Self.owners(of: 2947, in: line + " x") == [])
  }

  @Test func `A local port belongs to whoever listens there`() throws {
    let (socket, port) = try Socket.listeningOnLoopback()
    #expect(PortOwners(of: port).users == [geteuid()])
    let (bound, free) = try Socket.listeningOnLoopback()
    shutdown(bound.descriptor, CInt(SHUT_RDWR))
    #expect(PortOwners(of: free).users == [])
    withExtendedLifetime((socket, bound)) {}
  }

  @Test func `An address of IPv6 is no different`() {
    let line =
      "  0: 00000000000000000000000001000000:0B83 00000000000000000000000000000000:0000 0A "
      + "00000000:00000000 00:00000000 00000000 1000 0 57 1"
    #expect(Self.owners(of: 2947, in: line) == [1000])
  }

  @Test func `Root and this user are trusted, and nobody else`() {
    #expect(PortOwners(users: [0, geteuid()]).strangers == [])
    #expect(PortOwners(users: [7772, 0, 7771]).strangers == [7771, 7772])
    #expect(PortOwners(users: nil).strangers == [])
  }
}
