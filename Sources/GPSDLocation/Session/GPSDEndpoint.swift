/// The address of a gpsd.
public struct GPSDEndpoint: Hashable, Sendable {
  /// gpsd's registered port.
  public static let defaultPort: UInt16 = 2947

  /// The host name or numeric address; an IPv6 address is written without brackets.
  public var host: String
  /// The TCP port, 1 to 65535.
  public var port: UInt16

  /// Creates an address; by default that of the gpsd on this machine.
  public init(host: String = "localhost", port: UInt16 = GPSDEndpoint.defaultPort) {
    self.host = host
    self.port = port
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
