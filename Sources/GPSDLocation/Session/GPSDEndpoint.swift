/// The address of a gpsd.
public struct GPSDEndpoint: Hashable, Sendable {
  /// gpsd's registered port.
  public static let defaultPort: UInt16 = 2947

  /// The host name or numeric address; an IPv6 address is written without brackets.
  public var host: String
  /// The TCP port, 1 to 65535.
  public var port: UInt16
  /// The descriptor of a connection that has been made already, to a gpsd that accepts no other; `nil` to make
  /// one. A session uses a copy of it.
  package private(set) var connection: CInt?

  /// Creates an address; the default is the gpsd on this machine. The port is a TCP port, 1 to 65535.
  public init(host: String = "localhost", port: UInt16 = GPSDEndpoint.defaultPort) {
    self.host = host
    self.port = port
  }

  /// Creates the address of a gpsd on this machine to which there is a connection.
  package init(connection: CInt) {
    self.init()
    self.connection = connection
  }

  /// Whether the host is this machine, or the near end of a tunnel.
  package var isLoopback: Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}

extension GPSDEndpoint: CustomStringConvertible {
  /// The host and port, such as `localhost:2947` or `[::1]:2947`.
  public var description: String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
