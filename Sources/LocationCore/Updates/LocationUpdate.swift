/// An element of ``LocationUpdates``: a state change, another change of a receiver, a fix, a failed
/// retry or another report.
///
/// Later versions may add cases: a `switch` outside this package needs an `@unknown default`.
#if compiler(>=6.3)
  @nonexhaustive
#endif
public enum LocationUpdate: Hashable, Sendable {
  // Indirect because these are rare and large: the enum stays small.
  /// The state of the link or of a receiver changed.
  indirect case state(StateChange)
  /// A receiver changed in another way, for example in the quality of its fixes.
  indirect case change(ReceiverChange)
  /// A receiver's fix, with everything that it reported for one epoch.
  case fix(LocationFix)
  /// Another attempt to connect failed. No state changed.
  indirect case retry(FailedRetry)
  /// The provider reported another event, such as the service, its receivers, satellites or a notice.
  case event(LocationEvent)
}

extension LocationUpdate: CustomStringConvertible {
  /// A text for logs and test failures, such as `state connecting at 3.0 seconds` or
  /// `fix 3D 48.14997, 11.58477`. Its format may change.
  public var description: String {
    switch self {
    case .state(let change): "state \(change)"
    case .change(let change): "\(change)"
    case .fix(let fix): "fix \(fix)"
    case .retry(let retry): "retry \(retry)"
    case .event(let event): "\(event)"
    }
  }
}
