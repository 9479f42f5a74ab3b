/// The address of a receiver on the network, such as a phone: `tcp://phone:10110`, `udp://:9999`.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
  package enum Transport: String, Hashable, Sendable {
    /// The receiver accepts connections.
    case tcp
    /// The receiver sends datagrams to this machine.
    case udp
  }

  package var transport: Transport
  /// The receiver's host; for datagrams, the local address at which they arrive, empty for all
  /// of them.
  package var host: String
  package var port: UInt16

  package init(_ transport: Transport, host: String, port: UInt16) {
    self.transport = transport
    self.host = host
    self.port = port
  }

  package var description: String {
    let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return "\(transport.rawValue)://\(host):\(port)"
  }
}
