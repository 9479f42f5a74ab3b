// Only where there is Core Location: no machine that runs these tests has it.
#if canImport(CoreLocation)
  // snippet: core-location
  import CoreLocation
  import LocationFoundation

  /// The updates of Core Location, as events of a provider.
  nonisolated struct CoreLocationEvents: AsyncSequence, AsyncIteratorProtocol {
    private var updates = CLLocationUpdate.liveUpdates().makeAsyncIterator()

    func makeAsyncIterator() -> CoreLocationEvents { self }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LocationError) -> LocationEvent? {
      do {
        guard let update = try await updates.next() else { return nil }
        guard let place = update.location,
          let coordinate = Coordinate(
            latitude: place.coordinate.latitude, longitude: place.coordinate.longitude)
        else { return .noFix(NoFix()) }
        return .fix(
          LocationFix(
            coordinate: coordinate, mode: place.verticalAccuracy > 0 ? .fix3D : .fix2D,
            time: Timestamp(place.timestamp), accuracy: place.horizontalAccuracy))
      } catch {
        throw LocationError(.disconnected, "\(error)")
      }
    }
  }
// end
#endif
