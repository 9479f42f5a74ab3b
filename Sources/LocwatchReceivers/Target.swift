package import GPSDLocation
package import LocwatchSystem

/// The source of live fixes.
package enum Target: Equatable, Sendable {
  /// A gpsd, optionally with one of its receivers.
  case gpsd(GPSDEndpoint, device: String?)
  /// A serial device, by its path.
  case tty(String)
  /// A receiver on the network.
  case network(NetworkAddress)
}
