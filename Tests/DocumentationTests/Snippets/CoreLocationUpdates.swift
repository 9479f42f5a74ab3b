// 'make check-platforms' compiles this for Apple's systems: no machine that runs these tests has Core Location.
#if canImport(CoreLocation)
  // snippet: core-location
  import CoreLocation
  import LocationCore

  /// The updates of Core Location, as the events of a provider.
  nonisolated struct CoreLocationEvents: AsyncSequence, AsyncIteratorProtocol {
    private var updates = CLLocationUpdate.liveUpdates().makeAsyncIterator()

    func makeAsyncIterator() -> CoreLocationEvents { self }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LocationError) -> LocationEvent? {
      let update: CLLocationUpdate?
      do {
        update = try await updates.next(isolation: actor)
      } catch {
        throw LocationError(.disconnected, "\(error)")
      }
      guard let update else { return nil }
      if update.authorizationRestricted { throw LocationError(.restricted) }
      if update.authorizationDenied || update.authorizationDeniedGlobally {
        throw LocationError(.denied)
      }
      return update.location.flatMap { LocationFix($0) }.map(LocationEvent.fix) ?? .noFix(NoFix())
    }
  }

  nonisolated extension LocationFix {
    /// Creates a fix from a location; `nil` if its position is invalid.
    init?(_ location: CLLocation) {
      let (latitude, longitude) = (location.coordinate.latitude, location.coordinate.longitude)
      guard let place = Coordinate(latitude: latitude, longitude: longitude),
        location.horizontalAccuracy >= 0
      else { return nil }
      let nanoseconds = Int64(exactly: (location.timestamp.timeIntervalSince1970 * 1e9).rounded())
      self.init(
        coordinate: place, mode: location.verticalAccuracy > 0 ? .fix3D : .fix2D,
        time: nanoseconds.map { Timestamp(nanosecondsSince1970: $0) },
        horizontalError: location.horizontalAccuracy)
      if location.verticalAccuracy > 0 {
        (altitude, ellipsoidalAltitude) = (location.altitude, location.ellipsoidalAltitude)
        verticalError = location.verticalAccuracy
      }
      if location.speedAccuracy >= 0 { speed = location.speed }
      if location.courseAccuracy >= 0 { course = location.course }
      if location.sourceInformation?.isSimulatedBySoftware == true { quality = .simulated }
    }
  }

  @MainActor func makeCoordinator() -> LocationCoordinator {
    LocationCoordinator(EventSequenceProvider { CoreLocationEvents() })
  }
// end
#endif
