/// An event that a ``LocationProvider`` reports.
///
/// Later versions may add cases: a `switch` outside this package needs an `@unknown default`.
#if compiler(>=6.3)
  @nonexhaustive
#endif
public enum LocationEvent: Hashable, Sendable {
  /// The service answered and identified itself.
  case service(LocationService)
  /// All receivers of the service; empty if it has none.
  case receivers([Receiver])
  // Indirect because these two are rare and large: the enum stays small.
  /// A receiver was opened, identified or changed.
  indirect case receiver(Receiver)
  /// The receiver at `path` was closed or removed.
  case removed(path: String)
  /// The service does not have the requested receiver, or has no permission to open it.
  indirect case refused(path: String, reason: String)
  /// A receiver reported a position.
  case fix(LocationFix)
  /// A receiver reported that it has no position.
  case noFix(NoFix)
  /// A receiver reported its satellites.
  case sky(SkyView)
  /// A report of a requested kind.
  indirect case other(ServiceReport)
  /// A message of the service for people. It changes no state.
  case notice(String)
  /// The corrections of the receivers began or stopped to arrive, or more is known about them.
  indirect case corrections(Corrections)
  /// The connection to the service failed while a recording was made. It has the time until the next attempt; `nil`
  /// if there was none. Only recordings report it: a live connection throws the error.
  indirect case disconnected(LocationError, retryIn: Duration?)
  /// The events that follow come from another source, which has this name. ``BestLocationProvider`` reports it.
  indirect case selected(String, previous: String?)
}

extension LocationEvent: CustomStringConvertible {
  /// A text for logs and test failures, such as `fix 3D 48.14997, 11.58477` or
  /// `removed /dev/ttyACM0`. Its format may change.
  public var description: String {
    switch self {
    case .service(let service): "service \(service)"
    case .receivers(let present): "receivers \(present)"
    case .receiver(let receiver): "receiver \(receiver)"
    case .removed(let path): "removed \(path)"
    case .refused(let path, let reason): "refused \(path): \(reason)"
    case .fix(let fix): "fix \(fix)"
    case .noFix(let noFix): "\(noFix)"
    case .sky(let sky): "sky \(sky)"
    case .other(let report): "\(report)"
    case .notice(let message): "notice \(message)"
    case .corrections(let corrections): "corrections \(corrections)"
    case .disconnected(let error, let retryIn):
      "disconnected: \(error)" + (retryIn.map { ", again in \($0)" } ?? "")
    case .selected(let name, _): "selected \(name)"
    }
  }
}

/// A service that answered for a provider's receivers, such as gpsd.
public struct LocationService: Hashable, Sendable {
  /// The name and version to show to people, such as `gpsd 3.22`.
  public var name: String

  /// Creates a service.
  ///
  /// - Parameter name: The name and version to show to people.
  public init(name: String) { self.name = name }
}

extension LocationService: CustomStringConvertible {
  /// The service's ``name``.
  public var description: String { name }
}
