/// What a ``LocationWatcher`` has to say: what changed, where we are, and what came with it.
public enum LocationUpdate: Hashable, Sendable {
  // Rare and large: the others are moved about faster without it.
  /// The link or a receiver changed its state.
  indirect case state(StateChange)
  /// One epoch's fix, complete.
  case fix(LocationFix)
  /// Another try to reach the service failed. No state changed by it.
  indirect case retry(FailedRetry)
  /// What the provider reported beside fixes: the service, its receivers, satellites, notices.
  case report(LocationEvent)
}

/// A try to reach a service that was ``LocationState/noDaemon`` before, and still is.
public struct FailedRetry: Hashable, Sendable {
  /// What failed.
  public var error: LocationError
  /// How long until the service is tried again; `nil` where it is not.
  public var retryIn: Duration?
  /// When it failed.
  public var moment: Moment

  /// A failed try as a watcher reports it.
  ///
  /// - Parameters:
  ///   - error: What failed.
  ///   - retryIn: How long until the service is tried again; `nil` where it is not.
  ///   - moment: When it failed.
  public init(_ error: LocationError, retryIn: Duration? = nil, at moment: Moment) {
    self.error = error
    self.retryIn = retryIn
    self.moment = moment
  }
}
