/// Receives the updates, errors and state changes of a ``LocationCoordinator`` on the main actor.
///
/// There is no separate authorization: state changes report whether the service and its receivers
/// are accessible.
@MainActor
public protocol LocationCoordinatorDelegate: AnyObject {
  /// Called with each current fix that passes the coordinator's filters.
  func locationCoordinator(_ coordinator: LocationCoordinator, didUpdate fix: LocationFix)

  /// Called when the state of the link or of a receiver changes. The default does nothing.
  func locationCoordinator(_ coordinator: LocationCoordinator, didChange change: StateChange)

  /// Called when a connection fails, a receiver is refused, or no receiver has a position
  /// (``LocationError/Code/locationUnknown``).
  ///
  /// The coordinator connects again according to its ``RetryPolicy``. The default implementation
  /// does nothing.
  func locationCoordinator(_ coordinator: LocationCoordinator, didFail error: LocationError)
}

extension LocationCoordinatorDelegate {
  public func locationCoordinator(
    _ coordinator: LocationCoordinator, didChange change: StateChange
  ) {}

  public func locationCoordinator(
    _ coordinator: LocationCoordinator, didFail error: LocationError
  ) {}
}
