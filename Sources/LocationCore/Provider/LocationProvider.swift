/// Anything that can say where we are.
///
/// Each iteration of ``events()`` is one connection. The sequence ends with `nil` when the provider
/// has no more to report or the iterating task was cancelled, and throws once when it fails; after
/// either it reports nothing more. Events are pulled: one `next()` causes one read, so that nothing
/// is produced before it is asked for and nothing is dropped unseen.
///
/// A provider of one's own needs ``events()`` alone. One that can itself stop waiting at a deadline
/// also provides ``connection()``, and spares the watcher a task beside it; one that lives in
/// another time than now, such as a replay, brings its ``clock``.
public protocol LocationProvider<Events>: Sendable {
  /// The events of one connection after the other.
  associatedtype Events: AsyncSequence<LocationEvent, LocationError>
  /// The same with deadlines. A provider that says nothing of it gets one that races its events
  /// against its ``clock``.
  associatedtype Connection: LocationConnection = RacedConnection<Self>

  /// What is reported from now on, over a connection of its own.
  func events() -> Events

  /// The same as an iteration of ``events()``, with a deadline to each wait.
  func connection() -> Connection

  /// What tells the time for the provider's events and their deadlines. The machine's own clocks,
  /// unless a provider says otherwise.
  var clock: LocationClock { get }

  /// Whether its receivers report a time sooner or later.
  ///
  /// A receiver that was just opened may have a position before it reports the time. A watcher holds
  /// such a fix for up to 2 s, and the first fix with a time replaces it. `false`, unless a provider
  /// says otherwise: every fix is reported at once.
  var receiversReportTime: Bool { get }
}

extension LocationProvider {
  /// The machine's own clocks.
  public var clock: LocationClock { .live }
  /// `false`: every fix is reported at once.
  public var receiversReportTime: Bool { false }
}

extension LocationProvider where Connection == RacedConnection<Self> {
  /// Races each wait for an event of ``events()`` against ``clock``.
  public func connection() -> RacedConnection<Self> { RacedConnection(provider: self) }
}
