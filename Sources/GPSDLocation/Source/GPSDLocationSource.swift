public import LocationCore

/// Reports where the receivers behind a gpsd are.
///
/// What it says is decided here, above any session: over libgps it is live, over a recording it
/// replays, over a spy it is verified.
///
/// Besides the errors of the connection it fails with ``LocationError/Code/silent`` where gpsd gives
/// no first answer within 15 s, or says nothing for 20 s although it was asked after 10 s, and with
/// ``LocationError/Code/notAService`` where something else than a gpsd answers. After a recording it
/// ends.
public struct GPSDLocationSource<Session: GPSDSession>: LocationProvider {
  private let endpoint: GPSDEndpoint
  private let device: String?
  private let tally: GPSDTally?
  private let makeSession: @Sendable () -> Session

  /// - Parameters:
  ///   - device: Only this receiver, by its path on gpsd's machine; `nil` is every receiver.
  ///   - tally: Counts what comes in.
  ///   - session: Makes the session of one connection.
  public init(
    endpoint: GPSDEndpoint = GPSDEndpoint(), device: String? = nil, tally: GPSDTally? = nil,
    session: @autoclosure @escaping @Sendable () -> Session
  ) {
    self.endpoint = endpoint
    self.device = device
    self.tally = tally
    makeSession = session
  }

  public func events() -> LocationEvents<GPSDConnection> {
    LocationEvents { connection() }
  }

  public func connection() -> GPSDConnection {
    GPSDConnection(session: makeSession(), endpoint: endpoint, device: device, tally: tally)
  }

  public var clock: LocationClock { makeSession().clock }
}
