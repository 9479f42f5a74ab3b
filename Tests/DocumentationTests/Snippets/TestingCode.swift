// snippet: under test
import LocationCore

struct Harbour {
  let place: Coordinate
  let provider: any LocationProvider

  /// Returns whether the receiver is within 500 m of the harbour.
  func isNear() async throws(LocationError) -> Bool {
    let fix = try await provider.currentLocation(
      LocationRequest(desiredAccuracy: 50), timeout: .seconds(10))
    return fix.coordinate.distance(to: place) < 500
  }
}
// end
