/// A connection to a provider that cannot stop waiting by itself: each wait races its next event
/// against the clock.
public struct RacedConnection<Provider: LocationProvider>: LocationConnection {
  private let provider: Provider
  private let clock: LocationClock

  init(provider: Provider, clock: LocationClock) {
    self.provider = provider
    self.clock = clock
  }

  public mutating func next(until deadline: Moment?) async throws(LocationError) -> LocationRead {
    .ended
  }

  public mutating func close() async {}
}
