/// Follows a provider for code that wants to be called, such as an interface.
///
/// ```swift
/// let coordinator = LocationCoordinator(GPSDLocationSource())
/// coordinator.desiredAccuracy = 20
/// coordinator.onUpdate = { fix in label.text = "\(fix.coordinate)" }
/// coordinator.onFailure = { error in label.text = "\(error)" }
/// coordinator.start()
/// ```
///
/// It lives on the main actor and calls there. It passes on current fixes alone: a stale one is
/// never taken for a place. Who wants a sequence, or late fixes too, takes ``LocationWatcher``.
@MainActor
public final class LocationCoordinator {
  /// Takes each fix that is current, accurate enough, and far enough from the one before.
  public var onUpdate: ((LocationFix) -> Void)?
  /// Takes the error of each connection that failed and of each receiver that was refused; what
  /// failed is tried again as the ``RetryPolicy`` says.
  public var onFailure: ((LocationError) -> Void)?
  /// Hears the same, and the states.
  public weak var delegate: (any LocationCoordinatorDelegate)?

  /// The state that the service or a receiver changed to last; `nil` before the first ``start()``.
  public private(set) var state: LocationState?
  /// The last fix that was passed on; `nil` as soon as it is no longer current.
  public private(set) var location: LocationFix?

  private let provider: any LocationProvider
  private let stale: Duration?
  private let retries: RetryPolicy
  private var gate = FixGate()
  private var task: Task<Void, Never>?

  /// Follows nothing before ``start()``.
  ///
  /// - Parameters:
  ///   - provider: What to follow: a `GPSDLocationSource`, or what a test puts in its place.
  ///   - stale: After how long without another a fix is no longer current; `nil` is the larger of
  ///     5 s and three of the receiver's own intervals.
  ///   - retries: When to try a provider again that failed.
  public init(
    _ provider: some LocationProvider, stale: Duration? = nil, retries: RetryPolicy = RetryPolicy()
  ) {
    self.provider = provider
    self.stale = stale
    self.retries = retries
  }

  deinit { task?.cancel() }

  /// In metres. A fix that is worse is left out, and so is one whose accuracy is unknown; `nil`
  /// takes every fix. A change holds for the next fix.
  public var desiredAccuracy: Double? {
    get { gate.desiredAccuracy }
    set { gate.desiredAccuracy = newValue }
  }

  /// In metres. A fix nearer than this to the last one of its receiver is left out; `nil` leaves
  /// none out. A change holds for the next fix.
  public var distanceFilter: Double? {
    get { gate.distanceFilter }
    set { gate.distanceFilter = newValue }
  }

  /// Whether it follows its provider. It no longer does after ``stop()``, when the provider ended,
  /// and when it failed and is not tried again.
  public var isRunning: Bool { task != nil }

  /// Connects, and goes on until ``stop()``. It does nothing while it is running.
  public func start() {
    guard task == nil else { return }
    task = Task { [weak self, provider, stale, retries, desiredAccuracy] in
      await Self.follow(
        provider, stale: stale, retries: retries, needsAccuracy: desiredAccuracy != nil
      ) { update in
        self?.take(update) != nil
      }
      // After stop() the next task may have started.
      if !Task.isCancelled { self?.task = nil }
    }
  }

  /// Hangs up. Nothing is called any more, and there is no current location.
  public func stop() {
    task?.cancel()
    task = nil
    location = nil
  }

  /// Calls back with the first current fix, over a connection of its own: it needs no ``start()``,
  /// and is not ended by ``stop()``. ``desiredAccuracy`` counts.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait by the provider's clock; `nil` waits for ever.
  ///   - completion: Called once, with the fix or with the error that
  ///     ``LocationProvider/currentLocation(timeout:weakest:desiredAccuracy:retries:)`` throws.
  /// - Returns: What to cancel to wait no longer; the completion is called even so.
  @discardableResult
  public func getCurrentLocation(
    timeout: Duration? = .seconds(30),
    completion: @escaping @MainActor (Result<LocationFix, LocationError>) -> Void
  ) -> Task<Void, Never> {
    Task { [provider, desiredAccuracy] in
      do throws(LocationError) {
        let fix = try await provider.currentLocation(
          timeout: timeout, desiredAccuracy: desiredAccuracy)
        completion(.success(fix))
      } catch {
        completion(.failure(error))
      }
    }
  }

  /// - Parameter deliver: Returns whether there is still somebody to deliver to.
  private static func follow(
    _ provider: some LocationProvider, stale: Duration?, retries: RetryPolicy,
    needsAccuracy: Bool, deliver: (LocationUpdate) -> Bool
  ) async {
    var watcher = LocationWatcher(provider, stale: stale, retries: retries)
    watcher.needsAccuracy = needsAccuracy
    var updates = watcher.makeAsyncIterator()
    do throws(LocationError) {
      while let update = try await updates.next(), !Task.isCancelled, deliver(update) {}
    } catch {
      // It was told with the last state.
    }
    await updates.close()
  }

  private func take(_ update: LocationUpdate) {
    switch update {
    case .state(let change):
      take(change)
    case .fix(let fix):
      guard fix.isCurrent, gate.admits(fix) else { return }
      location = fix
      onUpdate?(fix)
      delegate?.locationCoordinator(self, didUpdate: fix)
    case .report(.refused(let path, let reason)):
      fail(LocationError(.noSuchReceiver, "\(path): \(reason)"))
    case .retry(let retry):
      fail(retry.error)
    case .report:
      break
    }
  }

  private func take(_ change: StateChange) {
    state = change.state
    let isOfLocation = change.device == nil || change.device == location?.device
    if isOfLocation, !change.state.hasFix { location = nil }
    delegate?.locationCoordinator(self, didChange: change)
    if let error = change.error { fail(error) }
  }

  private func fail(_ error: LocationError) {
    onFailure?(error)
    delegate?.locationCoordinator(self, didFail: error)
  }
}
