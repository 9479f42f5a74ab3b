// snippet: key
import LibGPS
import LocationTestKit

/// The key of the provider in a dependency container.
enum LocationProviderKey {
  static let liveValue: any LocationProvider = GPSDLocationSource()
  static let testValue: any LocationProvider = FailingLocationSource()
}
// end
