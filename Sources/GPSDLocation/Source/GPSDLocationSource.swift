public import LocationCore

/// Reports where the receivers behind a gpsd are.
///
/// What it says is decided here, above any session: over libgps it is live, over a recording it
/// replays, over a spy it is verified.
///
/// Besides the errors of the connection it fails with `LocationError.Code.silent` where gpsd gives
/// no first answer within 15 s, or says nothing for 20 s although it was asked after 10 s, and with
/// `LocationError.Code.notAService` where something else than a gpsd answers. After a recording it
/// ends.
///
/// Where gpsd is on this machine, a receiver whose device disappears is reported as removed once it is
/// silent, and gpsd is not spoken to until the device is back: gpsd 3.22 would forget the receiver.
public struct GPSDLocationSource<Session: GPSDSession>: LocationProvider {
  private let endpoint: GPSDEndpoint
  private let device: String?
  private let satellites: Bool
  private let tally: GPSDTally?
  private let lookup: DeviceNode.Lookup
  private let sessions: SessionSupply<Session>

  /// A source over any session; with a libgps session it needs no ``GPSDSession`` to be named.
  ///
  /// - Parameters:
  ///   - endpoint: Where gpsd listens.
  ///   - device: Only this receiver, by its path on gpsd's machine; `nil` is every receiver.
  ///   - satellites: Whether sky views list the satellites. Without, they tell how many there are,
  ///     and no list is built.
  ///   - tally: Counts what comes in; `nil` where nobody wants to know.
  ///   - session: Makes the session of one connection. An expression that makes one is evaluated for
  ///     each; a variable is the same session for all, and they disturb each other.
  public init(
    endpoint: GPSDEndpoint = GPSDEndpoint(), device: String? = nil, satellites: Bool = true,
    tally: GPSDTally? = nil, session: @autoclosure @escaping @Sendable () -> Session
  ) {
    self.init(
      endpoint: endpoint, device: device, satellites: satellites, tally: tally,
      lookup: DeviceNode.onThisMachine, session: session())
  }

  /// The same, with a choice where the receivers' devices are looked for.
  ///
  /// - Parameter lookup: Is asked only where gpsd is on this machine.
  package init(
    endpoint: GPSDEndpoint = GPSDEndpoint(), device: String? = nil, satellites: Bool = true,
    tally: GPSDTally? = nil, lookup: @escaping DeviceNode.Lookup,
    session: @autoclosure @escaping @Sendable () -> Session
  ) {
    self.endpoint = endpoint
    self.device = device
    self.satellites = satellites
    self.tally = tally
    self.lookup = endpoint.isLoopback ? lookup : DeviceNode.elsewhere
    sessions = SessionSupply(clock: nil, session)
  }

  /// A source whose clock is none of a session's.
  package init(
    device: String?, clock: LocationClock, session: @escaping @Sendable () -> Session
  ) {
    endpoint = GPSDEndpoint()
    self.device = device
    satellites = true
    tally = nil
    lookup = DeviceNode.elsewhere
    sessions = SessionSupply(clock: clock, session)
  }

  /// What gpsd reports from now on, over a connection of its own. It ends with a recording, and
  /// when the task is cancelled; it throws `LocationError` once when the connection fails.
  public func events() -> LocationEvents<GPSDConnection> {
    LocationEvents { connection() }
  }

  /// The same, with a deadline to each wait.
  public func connection() -> GPSDConnection {
    GPSDConnection(
      session: sessions.next(), endpoint: endpoint, device: device, satellites: satellites,
      tally: tally, lookup: lookup)
  }

  /// The clock of the first session: the machine's own, or a recording's. No session is made for it
  /// alone: one that is, is the next connection's.
  public var clock: LocationClock { sessions.clock }

  /// `true`: the first fixes of a receiver that gpsd just opened have no time.
  public var receiversReportTime: Bool { true }
}
