import LocationCore

/// Reports when a receiver arrives at a place.
public struct ArrivalAlarm: Sendable {
  private let region: Region
  private let provider: any LocationProvider

  /// - Parameter radius: How near the place is near enough, in metres.
  public init(at place: Coordinate, radius: Double, provider: any LocationProvider) {
    region = .circle("destination", around: place, radius: radius)
    self.provider = provider
  }

  /// Waits for the arrival.
  ///
  /// - Returns: The fix that confirms the arrival: the receiver has been at the place for 5 s. `nil` if the provider ends
  ///   before.
  public func arrival() async throws -> LocationFix? {
    for try await event in provider.regionEvents([region]) where event.presence == .inside {
      return event.fix
    }
    return nil
  }
}
