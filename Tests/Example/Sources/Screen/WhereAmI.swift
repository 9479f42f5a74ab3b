import LocationCore

/// What a screen shows that says where we are. It knows nothing of drawing, nor of gpsd.
@MainActor
public final class WhereAmI {
  public enum Content: Hashable, Sendable {
    /// Nobody has asked yet.
    case empty
    case searching
    case found(Coordinate)
    case error(String)
  }

  /// Draws what is to be shown, whenever that is something else.
  public var draw: ((Content) -> Void)?

  public private(set) var content = Content.empty {
    didSet { if content != oldValue { draw?(content) } }
  }

  private let coordinator: LocationCoordinator

  public init(_ provider: some LocationProvider) {
    coordinator = LocationCoordinator(provider)
    coordinator.request.desiredAccuracy = 50
    coordinator.delegate = self
  }

  /// Shows where we are, until ``disappear()``.
  public func appear() { coordinator.start() }

  public func disappear() {
    coordinator.stop()
    content = .empty
  }

  /// Shows where we are now, or why that cannot be said.
  public func locate(within timeout: Duration = .seconds(30)) {
    content = .searching
    coordinator.currentLocation(timeout: timeout) { [weak self] result in
      switch result {
      case .success(let fix): self?.content = .found(fix.coordinate)
      case .failure(let error): self?.content = .error("\(error)")
      }
    }
  }
}

extension WhereAmI: LocationCoordinatorDelegate {
  public func locationCoordinator(_ coordinator: LocationCoordinator, didUpdate fix: LocationFix) {
    content = .found(fix.coordinate)
  }

  public func locationCoordinator(
    _ coordinator: LocationCoordinator, didChange change: StateChange
  ) {
    switch change.state {
    case .connecting, .searching, .lost: content = .searching
    case .noDevice: content = .error("There is no receiver.")
    // The location comes with didUpdate, the error with didFail.
    case .fix2D, .fix3D, .noService: break
    @unknown default: break
    }
  }

  public func locationCoordinator(_ coordinator: LocationCoordinator, didFail error: LocationError)
  {
    // Without a position it keeps searching, which the state shows.
    if error.code != .locationUnknown { content = .error("\(error)") }
  }
}
