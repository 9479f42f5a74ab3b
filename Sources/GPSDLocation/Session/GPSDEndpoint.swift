/// Where a gpsd listens.
public struct GPSDEndpoint: Hashable, Sendable {
  /// gpsd's registered port.
  public static let defaultPort: UInt16 = 2947

  /// A host name or a numeric address, IPv6 without brackets.
  public var host: String
  /// 1 to 65535.
  public var port: UInt16

  /// By default the gpsd of this machine.
  public init(host: String = "localhost", port: UInt16 = GPSDEndpoint.defaultPort) {
    self.host = host
    self.port = port
  }

  /// Whether it is on this machine, or the near end of a tunnel.
  package var isLoopback: Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}

extension GPSDEndpoint: CustomStringConvertible {
  /// `localhost:2947`, `[::1]:2947`.
  public var description: String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
