#if canImport(CoreLocation)
  import CoreLocation
  public import LocationCore
  #if canImport(Foundation)
    import Foundation
  #endif

  /// The updates of Core Location, as the events of a provider.
  ///
  /// ```swift
  /// let provider = EventSequenceProvider { CoreLocationEvents() }
  /// for try await update in provider.updates() { … }
  /// ```
  ///
  /// The app itself asks for authorization. While access is denied or restricted, the sequence throws a
  /// ``LocationError`` with that code, and updates are retried according to their ``RetryPolicy``. An update without
  /// a location, or with an invalid one, is a ``NoFix``. Invalid accuracies, heights, speeds and courses are `nil`,
  /// and a simulated location has the quality ``FixQuality/simulated``. An old location, as Core Location may deliver it
  /// from its cache, becomes a fix that is not current. On tvOS there is neither speed nor course.
  public struct CoreLocationEvents: AsyncSequence, Sendable {
    /// Creates the events of one connection.
    public init() {}

    /// Returns an iterator that asks Core Location for updates.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

    /// An iterator over the updates of Core Location.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private var updates = CLLocationUpdate.liveUpdates().makeAsyncIterator()

      fileprivate init() {}

      /// Returns the next event; `nil` when the task is cancelled.
      ///
      /// - Throws: ``LocationError``: `denied` or `restricted` without access, `disconnected` if Core
      ///   Location fails.
      public mutating func next() async throws(LocationError) -> LocationEvent? {
        try await next(isolation: #isolation)
      }

      /// Returns the next event; `nil` when the task is cancelled.
      ///
      /// - Throws: ``LocationError``: `denied` or `restricted` without access, `disconnected` if Core
      ///   Location fails.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(LocationError) -> LocationEvent? {
        let update: CLLocationUpdate?
        do {
          update = try await updates.next(isolation: actor)
        } catch {
          throw LocationError(.disconnected, "\(error)")
        }
        guard let update else { return nil }
        return try CoreLocationReading(update).event
      }
    }
  }

  extension CoreLocationReading {
    fileprivate init(_ update: CLLocationUpdate) {
      self.init(
        place: update.location.map { Place($0) },
        isDenied: update.authorizationDenied || update.authorizationDeniedGlobally,
        isRestricted: update.authorizationRestricted)
    }
  }

  extension CoreLocationReading.Place {
    fileprivate init(_ location: CLLocation) {
      #if os(tvOS)
        let (speed, speedAccuracy, course, courseAccuracy) = (-1.0, -1.0, -1.0, -1.0)
      #else
        let (speed, speedAccuracy) = (location.speed, location.speedAccuracy)
        let (course, courseAccuracy) = (location.course, location.courseAccuracy)
      #endif
      self.init(
        latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
        horizontalAccuracy: location.horizontalAccuracy, altitude: location.altitude,
        ellipsoidalAltitude: location.ellipsoidalAltitude,
        verticalAccuracy: location.verticalAccuracy, speed: speed, speedAccuracy: speedAccuracy,
        course: course, courseAccuracy: courseAccuracy,
        secondsSince1970: location.timestamp.timeIntervalSince1970,
        isSimulated: location.sourceInformation?.isSimulatedBySoftware ?? false)
    }
  }
#endif
