/// The state of the link to a location service, or of one receiver.
///
/// Later versions may add cases: a `switch` outside this package needs an `@unknown default`.
#if compiler(>=6.3)
  @nonexhaustive
#endif
public enum LocationState: String, Hashable, Sendable, CaseIterable {
  /// The service has not answered yet.
  case connecting
  /// The service is unavailable: it refused the connection, closed it or is silent.
  case noService = "no-daemon"
  /// The service has no receiver, or this receiver was removed or refused.
  case noDevice = "no-device"
  /// The receiver has no position yet.
  case searching
  /// The receiver has a current position, without a height.
  case fix2D = "fix-2d"
  /// The receiver has a current position, with a height.
  case fix3D = "fix-3d"
  /// The receiver no longer has a current position; see ``StateChange/loss``.
  case lost

  /// Whether there is a current position.
  public var hasFix: Bool { self == .fix2D || self == .fix3D }
}

extension LocationState: CustomStringConvertible {
  /// The raw value, as locwatch prints it, such as `fix-3d`.
  public var description: String { rawValue }
}
