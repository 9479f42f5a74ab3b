/// A mount point of an NTRIP caster, which sends the corrections of a base station:
/// `ntrip://caster.example:2101/MOUNT`, or `ntrips://` for one that speaks TLS.
package struct CasterAddress: Hashable, Sendable, CustomStringConvertible {
  /// The port that IANA assigned to NTRIP's first version.
  package static let defaultPort: UInt16 = 2101
  /// The port of HTTP with TLS, which most casters with TLS use.
  package static let defaultSecurePort: UInt16 = 443
  /// The maximum length of a mount point's name, in bytes.
  package static let maximumMount = 255

  package var host: String
  package var port: UInt16
  package var mount: String
  /// Whether the connection is one of TLS.
  package var isSecure: Bool

  package init(
    host: String, port: UInt16 = Self.defaultPort, mount: String, isSecure: Bool = false
  ) {
    self.host = host
    self.port = port
    self.mount = mount
    self.isSecure = isSecure
  }

  /// The host and the port, as in a header of HTTP.
  var authority: String {
    "\(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(port)"
  }

  package var description: String { "\(isSecure ? "ntrips" : "ntrip")://\(authority)/\(mount)" }
}
