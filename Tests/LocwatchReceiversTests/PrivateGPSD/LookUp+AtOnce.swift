import LocationCore

@testable import LocwatchSystem

extension LookUp {
  /// Returns what looks up a host before it returns.
  static func atOnce(
    _ resolve: @escaping (NetworkAddress) throws(LocationError) -> [HostAddress] = HostAddress
      .resolve
  ) -> Start {
    { address in LookUp(Result { () throws(LocationError) in try resolve(address) }) }
  }
}
