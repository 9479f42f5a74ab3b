/// Shares one connection to a provider among any number of readers, on any task or actor.
///
/// ```swift
/// let hub = LocationHub(GPSDLocationSource())
/// hub.start()
/// let fix = hub.location                              // The latest fix, without waiting.
/// let next = try await hub.currentLocation()          // Shares the hub's connection.
/// for try await update in hub.updates() { … }         // So does this.
/// ```
///
/// The hub connects when it is started or first read, and stays connected until ``stop()``, the
/// provider's end, or its own deinitialization.
///
/// A reader that joins receives the latest states and fixes first. A slow reader delays no other: of
/// each receiver it finds the latest fix, and every state. What it missed is counted.
public final class LocationHub: Sendable {
  private let core: HubCore
  /// The clock of the provider.
  public let clock: LocationClock

  /// Creates a hub, which does not connect yet.
  ///
  /// - Parameters:
  ///   - provider: The provider to share.
  ///   - staleAfter: The silence after which a fix is no longer current. `nil` means 5 s or three
  ///     of the receiver's own intervals, whichever is longer.
  ///   - retries: When to connect again after a failure.
  public init(
    _ provider: some LocationProvider, staleAfter: Duration? = nil,
    retries: RetryPolicy = RetryPolicy()
  ) {
    clock = provider.clock
    core = HubCore(provider.updates(staleAfter: staleAfter, retries: retries))
  }

  deinit { core.stop() }

  /// The latest fix of any receiver; `nil` if none is current, or the hub is not connected.
  public var location: LocationFix? { core.location }

  /// The best state of all receivers, or the state of the link if no receiver has one; `nil` before the
  /// hub connects, after ``stop()`` and after the provider's end.
  public var state: LocationState? { core.state }

  /// Connects, unless the hub is connected.
  public func start() { core.start() }

  /// Disconnects. The iterations of all readers end.
  public func stop() { core.stop() }

  /// Returns the provider's updates.
  ///
  /// Each iteration begins with the latest states and current fixes. It ends when the provider has no
  /// more to report, the hub is stopped, or the iterating task is cancelled, and throws the
  /// ``LocationError`` of the last failure if the hub's retry policy gives up.
  public func updates() -> HubUpdates { HubUpdates(hub: self) }

  /// Returns the first current fix, at once if there is one already.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait by the provider's clock; `nil` waits without a limit.
  ///   - minimumMode: The least mode of the fix.
  ///   - minimumQuality: The least quality of the fix.
  ///   - desiredAccuracy: The largest ``LocationFix/accuracy`` of the fix, in metres; `nil` accepts
  ///     every fix.
  /// - Throws: ``LocationError``, as
  ///   ``LocationProvider/currentLocation(timeout:minimumMode:minimumQuality:desiredAccuracy:retries:)``
  ///   does; other failures only if the hub's retry policy gives up.
  public func currentLocation(
    timeout: Duration? = .seconds(30), minimumMode: FixMode = .fix2D,
    minimumQuality: FixQuality? = nil, desiredAccuracy: Double? = nil
  ) async throws(LocationError) -> LocationFix {
    let request = LocationRequest(
      minimumMode: minimumMode, minimumQuality: minimumQuality, desiredAccuracy: desiredAccuracy)
    var search = FixSearch(UpdateFilter(request))
    let deadline = timeout.map { clock.now.advanced(by: $0) }
    var reader = updates().makeAsyncIterator()
    while true {
      switch try await reader.next(until: deadline) {
      case .value(let update, _):
        if let fix = try search.handle(update) { return fix }
      case .timedOut:
        throw search.timedOut(after: timeout ?? .zero)
      case .ended:
        throw FixSearch.ended
      }
    }
  }

  func join() -> HubReader { core.join() }
  func leave(_ reader: HubReader) { core.leave(reader) }
}
