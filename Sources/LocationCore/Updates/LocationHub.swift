/// Shares one connection to a provider among any number of readers, on any task or actor.
///
/// ```swift
/// let hub = LocationHub(GPSDLocationSource())
/// hub.start()
/// let fix = hub.location                              // The latest fix, without waiting.
/// let next = try await hub.currentLocation()          // Shares the hub's connection.
/// for try await update in hub.latestUpdates() { … }   // So does this loop,
/// for try await event in hub.regionEvents([harbour]) { … }  // and so does anything that takes a provider.
/// ```
///
/// The hub connects when it is started or first read, and stays connected until ``stop()``, the
/// provider's end, or its own deinitialization.
///
/// A new reader first receives the latest states and fixes. A slow reader does not delay the others: a reader of
/// ``latestUpdates(_:)`` receives only the latest fix of each receiver, and the missed fixes are counted.
///
/// A hub is also a provider, so monitors, fleets, coordinators and a ``BestLocationProvider`` can share its
/// connection. A connection to the hub begins with the latest states and fixes, and fails when the hub's connection
/// fails. It is established again when the hub has reconnected according to its own ``RetryPolicy``. Up to 1,024
/// updates wait for each reader.
public final class LocationHub: LocationProvider {
  private let core: HubCore
  /// The clock of the provider.
  public let clock: LocationClock
  /// The value of the provider.
  public let receiversShareClock: Bool

  /// Creates a hub, which does not connect yet.
  ///
  /// - Parameters:
  ///   - provider: The provider to share.
  ///   - staleAfter: The silence after which a fix is no longer current. `nil` means 5 s or three of
  ///     the receiver's own intervals, whichever is longer, and 65 s until its second report.
  ///   - retries: When to connect again after a failure.
  ///   - reports: The kinds of reports that readers of the hub need. The hub makes one request for all of its readers.
  public init(
    _ provider: any LocationProvider, staleAfter: Duration? = nil,
    retries: RetryPolicy = RetryPolicy(), reports: Set<ServiceReport.Kind> = []
  ) {
    clock = provider.clock
    receiversShareClock = provider.receiversShareClock
    core = HubCore(
      provider.updates(
        staleAfter: staleAfter, retries: retries, unfilteredFor: LocationRequest(reports: reports)))
  }

  deinit { core.stop() }

  /// The latest fix of any receiver; `nil` if none is current, or the hub is not connected.
  public var location: LocationFix? { core.location }

  /// The last position of any receiver, however old it is; `nil` before the first one. It remains when the position is
  /// lost, after ``stop()`` and after the provider's end.
  ///
  /// ```swift
  /// let age = hub.lastKnownLocation?.age(at: hub.clock.now)
  /// ```
  public var lastKnownLocation: KnownLocation? { core.lastKnownLocation }

  /// The best state of all receivers, or the state of the link if no receiver has one; `nil` before the
  /// hub connects, after ``stop()`` and after the provider's end.
  public var state: LocationState? { core.state }

  /// Whether the hub has a connection to the service and the service has answered, with or without receivers.
  public var isConnected: Bool { core.isConnected }

  /// Connects, unless the hub is connected.
  public func start() { core.start() }

  /// Disconnects. The iterations of all readers end.
  public func stop() { core.stop() }

  /// Returns a connection that shares the hub's own, and begins with the latest states and fixes. It ignores the
  /// request, because the hub has one connection for all of its readers.
  public func connection(for request: LocationRequest) -> some LocationConnection {
    HubConnection(to: self)
  }

  /// Returns the updates of the provider. A slow reader receives the latest fix of each receiver.
  ///
  /// To receive every fix, use ``LocationProvider/updates(_:staleAfter:retries:)`` instead: up to 1,024 unread
  /// updates are kept.
  ///
  /// Each iteration begins with the latest states and current fixes. It ends when the provider has no
  /// more to report, the hub is stopped, or the iterating task is cancelled, and throws the
  /// ``LocationError`` of the last failure if the hub's retry policy gives up.
  ///
  /// - Parameter request: Which fixes to report.
  public func latestUpdates(_ request: LocationRequest = LocationRequest()) -> HubUpdates {
    HubUpdates(hub: self, request: request)
  }

  /// Returns the first current fix, without waiting if there already is one.
  ///
  /// - Parameters:
  ///   - request: The fix to wait for. The distance filter has no effect.
  ///   - timeout: How long to wait by the provider's clock; `nil` waits without a limit.
  ///   - failsFast: Whether to throw a failure of the hub's connection at once, instead of waiting for the next
  ///     attempt to connect. A server that must answer quickly needs this.
  ///   - condition: A further condition that the fix must meet; none by default.
  /// - Throws: ``LocationError``, as ``LocationProvider/currentLocation(_:timeout:retries:where:)`` does;
  ///   ``LocationError/Code/stopped`` if the hub is stopped; other failures only if the hub's retry policy gives
  ///   up, or with `failsFast`.
  public func currentLocation(
    _ request: LocationRequest = LocationRequest(), timeout: Duration? = .seconds(30),
    failsFast: Bool = false, where condition: (LocationFix) -> Bool = { _ in true }
  ) async throws(LocationError) -> LocationFix {
    var search = FixSearch(UpdateFilter(request))
    let deadline = timeout.map { clock.now.advanced(by: $0) }
    var reader = latestUpdates().makeAsyncIterator()
    while true {
      switch try await reader.next(until: deadline) {
      case .value(let update, _):
        if failsFast, let failure = update.failure { throw failure.error }
        if let fix = try search.handle(update, where: condition) { return fix }
      case .timedOut:
        throw search.timedOut(after: timeout ?? .zero)
      case .ended:
        guard reader.isStopped, !Task.isCancelled else { throw FixSearch.ended }
        throw LocationError(.stopped, "the hub was stopped before there was a fix")
      }
    }
  }

  func join(asConnection: Bool) -> HubReader { core.join(asConnection: asConnection) }
  func leave(_ reader: HubReader) { core.leave(reader) }
}
