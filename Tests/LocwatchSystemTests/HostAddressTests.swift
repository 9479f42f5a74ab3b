import LocationCore
import Testing

@testable import LocwatchSystem

@Suite struct `A host's address` {
  @Test(
    arguments: [
      ("0.0.0.0", true), ("::", true), ("127.0.0.1", false), ("192.168.1.7", false), ("::1", false),
    ])
  func `knows its port, and whether it stands for all of a machine's addresses`(
    host: String, isUnspecified: Bool
  ) throws {
    let address = try #require(
      HostAddress.known(of: NetworkAddress(.tcp, host: host, port: 9947))?.first)
    #expect(address.port == 9947)
    #expect(address.isUnspecified == isUnspecified)
  }
}
