import Glibc
import Testing

@testable import LocwatchSystem

extension Socket {
  /// Binds the socket to a free port of the loopback interface.
  ///
  /// - Returns: Its address.
  func bindToFreePort() throws -> HostAddress {
    let any = try HostAddress.resolve(NetworkAddress(.tcp, host: "127.0.0.1", port: 0))
    #expect(bind(to: any[0]))
    return try #require(HostAddress { getsockname(descriptor, $0, &$1) == 0 ? () : nil })
  }
}
