#if canImport(Observation)
  public import Observation
#endif

/// Follows a provider and reports to closures or a delegate on the main actor.
///
/// ```swift
/// let coordinator = LocationCoordinator(GPSDLocationSource())
/// coordinator.request.desiredAccuracy = 20
/// coordinator.onUpdate = { fix in label.text = "\(fix.coordinate)" }
/// coordinator.onFailure = { error in label.text = "\(error)" }
/// coordinator.start()
/// ```
///
/// A coordinator reports current fixes only. Use ``LocationUpdates`` for an asynchronous sequence, or to receive
/// delayed fixes too. Where the module Observation is available, ``location``, ``lastKnownLocation``, ``state`` and
/// ``isRunning`` are observable, for example by SwiftUI.
@MainActor
public final class LocationCoordinator {
  /// Called with each current fix that passes ``request``.
  public var onUpdate: ((LocationFix) -> Void)?
  /// Called when a connection fails, a receiver is refused, or no receiver has a position.
  ///
  /// After a failed connection the coordinator connects again according to its ``RetryPolicy``. The error
  /// ``LocationError/Code/locationUnknown`` is reported once when no receiver has a position, or when all have lost
  /// theirs. Updates continue when a receiver has a position.
  public var onFailure: ((LocationError) -> Void)?
  /// Called when the state of the link or of a receiver changes, before the delegate and before
  /// ``onFailure``.
  public var onChange: ((StateChange) -> Void)?
  /// The delegate, which receives updates, errors and state changes.
  public weak var delegate: (any LocationCoordinatorDelegate)?

  /// The best state of all receivers, or the state of the link if no receiver has one.
  ///
  /// `nil` before ``start()``, after ``stop()`` and when the provider has ended. The last state remains when the
  /// retry policy has given up.
  public var state: LocationState? {
    observed(\.state)
    return observable.state
  }
  /// The last fix that was reported; `nil` if it is no longer current or the coordinator is not
  /// running.
  public var location: LocationFix? {
    observed(\.location)
    return observable.location
  }

  /// The last position that met ``request``, however old it is; `nil` before the first one. It remains when the position
  /// is lost and after ``stop()``.
  public var lastKnownLocation: KnownLocation? {
    observed(\.lastKnownLocation)
    return observable.known.location
  }

  /// What observers see.
  private struct ObservableValues {
    var state: LocationState?
    var location: LocationFix?
    var known: LastKnownLocation
    var isRunning = false
  }

  private var observable: ObservableValues
  #if canImport(Observation)
    private let registrar = ObservationRegistrar()
  #endif

  private let provider: any LocationProvider
  private let staleAfter: Duration?
  private let retries: RetryPolicy
  private var filter = UpdateFilter()
  private var task: Task<Void, Never>?
  /// The latest run, which may still have to close its connection; `nil` before the first one.
  private var latestRun: Task<Void, Never>?
  /// Counts starts, stops and changes of the request, because a callback may make them.
  private var run = 0
  private var states = CurrentStates()
  /// Whether ``LocationError/Code/locationUnknown`` was reported since the last fix.
  private var hasReportedUnknown = false

  /// Creates a coordinator, which does not connect before ``start()``.
  ///
  /// - Parameters:
  ///   - provider: The provider to follow: a `GPSDLocationSource`, or a test's substitute.
  ///   - staleAfter: The silence after which a fix is no longer current. `nil` means 5 s or three of
  ///     the receiver's own intervals, whichever is longer, and 65 s until its second report.
  ///   - retries: When to connect again after a failure.
  public init(
    _ provider: any LocationProvider, staleAfter: Duration? = nil,
    retries: RetryPolicy = RetryPolicy()
  ) {
    self.provider = provider
    self.staleAfter = staleAfter
    self.retries = retries
    observable = ObservableValues(
      known: LastKnownLocation(sharesClock: provider.receiversShareClock))
  }

  deinit { task?.cancel() }

  /// The fixes to report.
  ///
  /// A change counts at once. If the coordinator is running, the provider gets the new request by a new connection,
  /// which is made once the old one is closed: ``state`` is ``LocationState/connecting`` and ``location`` is `nil`
  /// until it reports. Several changes without an `await` in between make one connection.
  public var request: LocationRequest {
    get { filter.request }
    set {
      guard newValue != filter.request else { return }
      filter.request = newValue
      guard let task else { return }
      task.cancel()
      forget(for: .connecting)
      follow()
    }
  }

  /// Whether the coordinator follows its provider: from ``start()`` until ``stop()``, the end of
  /// the provider, or a failure after which the retry policy gives up.
  public var isRunning: Bool {
    observed(\.isRunning)
    return observable.isRunning
  }

  /// Starts to follow the provider. Does nothing if the coordinator is running. If it was stopped just before, it
  /// connects once the last connection is closed.
  public func start() {
    guard task == nil else { return }
    change(\.isRunning) { $0.isRunning = true }
    follow()
  }

  /// Begins a run with a connection for the current request.
  private func follow() {
    run += 1
    let run = run
    let task = Task { [weak self, provider, staleAfter, retries, latestRun, request] in
      // A receiver may have room for one connection only.
      await latestRun?.value
      let hasFailed = await Self.follow(
        provider, staleAfter: staleAfter, retries: retries, for: request
      ) { update, moment in
        self?.handle(update, at: moment, in: run) ?? false
      }
      self?.end(run, hasFailed: hasFailed)
    }
    self.task = task
    latestRun = task
  }

  /// Disconnects, and resets ``location`` and ``state``. No callback follows, even if this method is called from a
  /// callback.
  public func stop() {
    task?.cancel()
    run += 1
    reset()
  }

  private func end(_ run: Int, hasFailed: Bool) {
    // Another run may have started since.
    guard run == self.run else { return }
    let last = state
    reset()
    if hasFailed { change(\.state) { $0.state = last } }
  }

  private func reset() {
    task = nil
    if observable.isRunning { change(\.isRunning) { $0.isRunning = false } }
    forget(for: nil)
  }

  /// Forgets what the connection has reported.
  ///
  /// - Parameter state: The state from now on.
  private func forget(for state: LocationState?) {
    if observable.state != state { change(\.state) { $0.state = state } }
    if observable.location != nil { change(\.location) { $0.location = nil } }
    states = CurrentStates()
    hasReportedUnknown = false
    filter.reset()
  }

  /// Calls a closure with the first current fix that passes ``request``.
  ///
  /// The request uses a separate connection and is independent of ``start()`` and ``stop()``.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait by the provider's clock; `nil` waits without a limit.
  ///   - completion: Called once, with the fix or with the error that
  ///     ``LocationProvider/currentLocation(_:timeout:retries:where:)`` throws.
  /// - Returns: A task that cancels the request; the closure is called in this case too.
  @discardableResult
  public func currentLocation(
    timeout: Duration? = .seconds(30),
    completion: @escaping @MainActor (Result<LocationFix, LocationError>) -> Void
  ) -> Task<Void, Never> {
    Task { [provider, request] in
      do throws(LocationError) {
        let fix = try await provider.currentLocation(request, timeout: timeout)
        completion(.success(fix))
      } catch {
        completion(.failure(error))
      }
    }
  }

  /// Delivers updates until the provider ends or fails.
  ///
  /// - Parameter deliver: Returns whether to continue.
  /// - Returns: Whether the provider failed and the retry policy gave up.
  private static func follow(
    _ provider: some LocationProvider, staleAfter: Duration?, retries: RetryPolicy,
    for request: LocationRequest, deliver: (LocationUpdate, Moment) -> Bool
  ) async -> Bool {
    var updates = provider.updates(
      staleAfter: staleAfter, retries: retries, unfilteredFor: request
    ).makeAsyncIterator()
    var hasFailed = false
    do throws(LocationError) {
      while case .value(let update, let moment) = try await updates.next(until: nil),
        !Task.isCancelled, deliver(update, moment)
      {}
    } catch {
      // The last update has reported the error.
      hasFailed = true
    }
    updates.close()
    return hasFailed
  }

  /// Handles an update, and returns whether the run continues.
  private func handle(_ update: LocationUpdate, at moment: Moment, in run: Int) -> Bool {
    guard run == self.run else { return false }
    switch update {
    case .state(let change):
      handle(change, in: run)
    case .fix(let fix):
      if fix.satisfies(request) {
        change(\.lastKnownLocation) { $0.known.record(fix, at: moment) }
      }
      guard fix.isCurrent, filter.admits(fix) else { break }
      change(\.location) { $0.location = fix }
      onUpdate?(fix)
      guard run == self.run else { break }
      delegate?.locationCoordinator(self, didUpdate: fix)
    case .event(.refused(let path, let reason)):
      fail(LocationError(.noSuchReceiver, "\(path): \(reason)"), in: run)
    case .retry(let retry):
      fail(retry.error, in: run)
    case .change, .event:
      break
    }
    return run == self.run
  }

  private func handle(_ change: StateChange, in run: Int) {
    let loss = record(change)
    let state = states.state
    if state != observable.state { self.change(\.state) { $0.state = state } }
    let isOfLocation = change.subject == .link || change.subject == location?.subject
    if isOfLocation, !change.state.hasFix, observable.location != nil {
      self.change(\.location) { $0.location = nil }
    }
    filter.record(change)
    let error = change.error ?? loss
    onChange?(change)
    guard run == self.run else { return }
    delegate?.locationCoordinator(self, didChange: change)
    if let error, run == self.run { fail(error, in: run) }
  }

  /// Returns ``LocationError/Code/locationUnknown`` if no receiver has a position, once after each
  /// fix or connection.
  private func record(_ change: StateChange) -> LocationError? {
    let hadFix = states.hasFix
    states.record(change)
    if change.state.hasFix || change.state == .noService { hasReportedUnknown = false }
    guard case .receiver(let device) = change.subject, !states.hasFix, !hasReportedUnknown,
      hadFix || change.state == .searching || change.state == .lost
    else { return nil }
    hasReportedUnknown = true
    return LocationError(.locationUnknown, "\(device ?? "the receiver") \(change.lossMessage)")
  }

  private func fail(_ error: LocationError, in run: Int) {
    onFailure?(error)
    guard run == self.run else { return }
    delegate?.locationCoordinator(self, didFail: error)
  }
}

#if canImport(Observation)
  extension LocationCoordinator: nonisolated Observable {
    private func observed(_ property: KeyPath<LocationCoordinator, some Any>) {
      registrar.access(self, keyPath: property)
    }

    private func change(
      _ property: KeyPath<LocationCoordinator, some Any>, _ body: (inout ObservableValues) -> Void
    ) {
      registrar.withMutation(of: self, keyPath: property) { body(&observable) }
    }
  }
#else
  extension LocationCoordinator {
    private func observed(_ property: KeyPath<LocationCoordinator, some Any>) {}

    private func change(
      _ property: KeyPath<LocationCoordinator, some Any>, _ body: (inout ObservableValues) -> Void
    ) {
      body(&observable)
    }
  }
#endif

extension LocationFix {
  /// The receiver of the fix.
  fileprivate var subject: StateChange.Subject { .receiver(device) }
}

extension StateChange {
  /// The predicate of a message about a receiver without a position.
  fileprivate var lossMessage: String {
    switch (state, loss) {
    case (.noDevice, _): "is gone"
    case (_, .silence): "has fallen silent"
    case (_, .stuck): "repeats one instant"
    default: "has no position"
    }
  }
}
