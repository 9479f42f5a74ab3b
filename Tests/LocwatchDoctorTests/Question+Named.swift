import GPSDLocation
import LocationCore

@testable import LocwatchDoctor
@testable import LocwatchReceivers
@testable import LocwatchSystem

extension Target {
  /// Creates what the command line names so: `HOST[:PORT[:DEVICE]]`, the path of a device, or the URL of a phone.
  init(named name: String, device: String? = nil) {
    guard !name.hasPrefix("/") else {
      self = .tty(name)
      return
    }
    let words = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    if let transport = NetworkAddress.Transport(rawValue: words[0]) {
      self = .network(
        NetworkAddress(transport, host: String(words[1].dropFirst(2)), port: UInt16(words[2])!))
    } else {
      let port = words.count > 1 ? UInt16(words[1])! : GPSDEndpoint.defaultPort
      self = .gpsd(
        GPSDEndpoint(host: words[0], port: port), device: words.count > 2 ? words[2] : device)
    }
  }
}

extension Question {
  /// Asks what the command line asks with a target and such options.
  init(
    _ target: String = "localhost", device: String? = nil,
    request: LocationRequest = LocationRequest(), isOnce: Bool = false
  ) {
    self.init(
      target: Target(named: target, device: device), device: device, request: request,
      isOnce: isOnce, count: isOnce ? 1 : nil, recording: nil)
  }
}
