/// Hears from a ``LocationCoordinator``, on the main actor.
///
/// Access to the service and to its receivers stands for authorization: it is told by the states.
@MainActor
public protocol LocationCoordinatorDelegate: AnyObject {
  /// A current fix that is accurate enough, and far enough from the last one.
  func locationCoordinator(_ coordinator: LocationCoordinator, didUpdate fix: LocationFix)

  /// The service or a receiver changed its state. Nothing happens, unless it is implemented.
  func locationCoordinator(_ coordinator: LocationCoordinator, didChange change: StateChange)

  /// A connection failed, a receiver was refused, or no receiver has a position
  /// (``LocationError/Code/locationUnknown``). The coordinator goes on: what failed is tried again
  /// as its ``RetryPolicy`` says. Nothing happens, unless it is implemented.
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
