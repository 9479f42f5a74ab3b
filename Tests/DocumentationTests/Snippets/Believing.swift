import LocationCore

// snippet: best
/// Returns the position of a ship with a receiver at the bow and one at the stern.
func position(
  bow: some LocationProvider, stern: some LocationProvider
) async throws(LocationError) -> Coordinate {
  let ship = BestLocationProvider([("bow", bow), ("stern", stern)])
  return try await ship.currentLocation(timeout: .seconds(10)).coordinate
}
// end
