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
  ///
  /// It also takes ``LocationError/Code/locationUnknown``, once, when no receiver has a position, at
  /// first or any more. Nothing is over by that: ``onUpdate`` is called when there is one again.
  public var onFailure: ((LocationError) -> Void)?
  /// Hears the same, and the states.
  public weak var delegate: (any LocationCoordinatorDelegate)?

  /// The state that the service or a receiver changed to last; `nil` before ``start()``, after
  /// ``stop()`` and when the provider has ended.
  public private(set) var state: LocationState?
  /// The last fix that was passed on; `nil` as soon as it is no longer current, or no longer
  /// followed.
  public private(set) var location: LocationFix?

  private let provider: any LocationProvider
  private let stale: Duration?
  private let retries: RetryPolicy
  private var gate = FixGate()
  private var task: Task<Void, Never>?
  /// Counts starts and stops, so that what was called back can end what called it.
  private var run = 0
  /// The receivers that have a fix, by their paths.
  private var located: Set<String> = []
  /// Whether it was told that there is none.
  private var isUnknown = false

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
    run += 1
    let run = run
    task = Task { [weak self, provider, stale, retries, desiredAccuracy] in
      let hasFailed = await Self.follow(
        provider, stale: stale, retries: retries, needsAccuracy: desiredAccuracy != nil
      ) { update in
        self?.take(update, in: run) ?? false
      }
      self?.end(run, hasFailed: hasFailed)
    }
  }

  /// Hangs up. Nothing is called any more, also where a callback stops it, and there is no current
  /// location and no state.
  public func stop() {
    task?.cancel()
    run += 1
    reset()
  }

  private func end(_ run: Int, hasFailed: Bool) {
    // After stop() the next task may have started.
    guard run == self.run else { return }
    let last = state
    reset()
    if hasFailed { state = last }
  }

  private func reset() {
    task = nil
    state = nil
    location = nil
    located = []
    isUnknown = false
    gate.reset()
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
  /// - Returns: Whether the provider failed, and is not tried again.
  private static func follow(
    _ provider: some LocationProvider, stale: Duration?, retries: RetryPolicy,
    needsAccuracy: Bool, deliver: (LocationUpdate) -> Bool
  ) async -> Bool {
    var watcher = LocationWatcher(provider, stale: stale, retries: retries)
    watcher.needsAccuracy = needsAccuracy
    var updates = watcher.makeAsyncIterator()
    var hasFailed = false
    do throws(LocationError) {
      while let update = try await updates.next(), !Task.isCancelled, deliver(update) {}
    } catch {
      // It was told with the last state.
      hasFailed = true
    }
    await updates.close()
    return hasFailed
  }

  /// Returns whether it is still followed.
  private func take(_ update: LocationUpdate, in run: Int) -> Bool {
    guard run == self.run else { return false }
    switch update {
    case .state(let change):
      take(change, in: run)
    case .fix(let fix):
      guard fix.isCurrent, gate.admits(fix) else { break }
      location = fix
      onUpdate?(fix)
      guard run == self.run else { break }
      delegate?.locationCoordinator(self, didUpdate: fix)
    case .report(.refused(let path, let reason)):
      fail(LocationError(.noSuchReceiver, "\(path): \(reason)"), in: run)
    case .retry(let retry):
      fail(retry.error, in: run)
    case .report:
      break
    }
    return run == self.run
  }

  private func take(_ change: StateChange, in run: Int) {
    state = change.state
    let isOfLocation = change.device == nil || change.device == location?.device
    if isOfLocation, !change.state.hasFix { location = nil }
    gate.note(change)
    let error = change.error ?? loss(by: change)
    delegate?.locationCoordinator(self, didChange: change)
    if let error, run == self.run { fail(error, in: run) }
  }

  /// The error to tell where no receiver has a position, for the first time since one had, or since
  /// there was a connection.
  private func loss(by change: StateChange) -> LocationError? {
    guard let device = change.device else {
      if change.state == .noDaemon {
        located = []
        isUnknown = false
      }
      return nil
    }
    guard !change.state.hasFix else {
      located.insert(device)
      isUnknown = false
      return nil
    }
    let wasLocated = located.remove(device) != nil
    let isLoss = wasLocated || change.state == .searching || change.state == .lost
    guard isLoss, located.isEmpty, !isUnknown else { return nil }
    isUnknown = true
    let receiver = device.isEmpty ? "the receiver" : device
    return LocationError(.locationUnknown, "\(receiver) \(change.loss)")
  }

  private func fail(_ error: LocationError, in run: Int) {
    onFailure?(error)
    guard run == self.run else { return }
    delegate?.locationCoordinator(self, didFail: error)
  }
}

extension StateChange {
  /// What became of a receiver that has no position, to be said behind its name.
  fileprivate var loss: String {
    switch (state, reason) {
    case (.noDevice, _): "is gone"
    case (_, "silence"): "has fallen silent"
    case (_, "stuck"): "repeats one instant"
    default: "has no position"
    }
  }
}
