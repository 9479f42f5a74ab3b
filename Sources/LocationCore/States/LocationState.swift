/// Where the link to a location service, or one receiver behind it, stands.
public enum LocationState: String, Hashable, Sendable, CaseIterable {
  /// There is not yet an answer from the service.
  case connecting
  /// The service refused, went away or stays silent.
  case noDaemon = "no-daemon"
  /// The service answers and has no receiver, or the receiver was removed.
  case noDevice = "no-device"
  /// The receiver reports, without a position.
  case searching
  /// A current position, without a height.
  case fix2D = "fix-2d"
  /// A current position with a height.
  case fix3D = "fix-3d"
  /// There was a fix; now the receiver reports none, reports nothing, or repeats one instant.
  case lost

  /// Whether there is a current position.
  public var hasFix: Bool { self == .fix2D || self == .fix3D }
}
