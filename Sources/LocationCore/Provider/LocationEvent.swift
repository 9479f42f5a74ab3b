/// What a ``LocationProvider`` reports.
public enum LocationEvent: Hashable, Sendable {
  /// The service answers, and says what it is.
  case service(LocationService)
  /// All the receivers that the service has; an empty list where it has none.
  case receivers([Receiver])
  // Rare and large, as a refusal is: what comes all the time is moved about faster without it.
  /// One receiver was opened, recognised or changed.
  indirect case receiver(Receiver)
  /// The receiver at `path` was closed or removed.
  case removed(path: String)
  /// The service does not have the receiver that was asked for, or may not open it.
  indirect case refused(path: String, reason: String)
  /// A receiver has a position.
  case fix(LocationFix)
  /// A receiver reports, and has no position.
  case noFix(NoFix)
  /// What a receiver sees of the satellites.
  case sky(SkyView)
  /// Words of the service for a person; they change no state.
  case notice(String)
}

/// A receiver's report that it has no position.
public struct NoFix: Hashable, Sendable {
  /// The receiver's path; empty where the service names none.
  public var device: String
  /// The receiver's own time, which it may know before its place; `nil` until then.
  public var time: Timestamp?
  /// ``FixMode/noFix`` where the receiver says that it has no position. Another mode stands for a
  /// report that leaves it open, and that the rest of its epoch may complete.
  public var mode: FixMode

  /// A report without a position, by default one without anything.
  public init(device: String = "", time: Timestamp? = nil, mode: FixMode = .noFix) {
    self.device = device
    self.time = time
    self.mode = mode
  }
}

/// Who answers for the receivers: a gpsd and its release.
public struct LocationService: Hashable, Sendable {
  /// The name and release to show people: `gpsd 3.22`.
  public var name: String

  /// - Parameter name: The name and release to show people.
  public init(name: String) { self.name = name }
}
