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
  /// The service does not have the requested receiver, or may not open it.
  indirect case refused(path: String, reason: String)
  /// A receiver reported a position.
  case fix(LocationFix)
  /// A receiver reported that it has no position.
  case noFix(NoFix)
  /// A receiver reported its satellites.
  case sky(SkyView)
  /// A report of a kind that the provider was asked for.
  indirect case other(ServiceReport)
  /// A message of the service for people. It changes no state.
  case notice(String)
  /// The following events come from another source, by its name. ``BestLocationProvider`` reports it.
  indirect case selected(String, previous: String?)
}

/// A report without a position.
public struct NoFix: Hashable, Sendable {
  /// The receiver's path; `nil` if the service names none.
  public var device: String?
  /// The receiver's time, which it may know before its position; `nil` if unknown.
  public var time: Timestamp?
  /// Whether the receiver states that it has no position.
  ///
  /// `false` for a report that merely contains none: another report of the same epoch may.
  public var isCertain: Bool
  /// The state of the antenna; `nil` if the report has none.
  public var antenna: AntennaStatus?
  /// The level of jamming, 0 (none) to 255; `nil` if the report has none.
  public var jam: Int? {
    get { jamLevel.map(Int.init) }
    set { jamLevel = newValue.map { UInt8(clamping: $0) } }
  }

  private var jamLevel: UInt8?

  /// Creates a report without a position. An argument that is left out is unknown.
  public init(
    device: String? = nil, time: Timestamp? = nil, isCertain: Bool = true,
    antenna: AntennaStatus? = nil, jam: Int? = nil
  ) {
    self.device = device
    self.time = time
    self.isCertain = isCertain
    self.antenna = antenna
    self.jam = jam
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
    case .selected(let name, _): "selected \(name)"
    }
  }
}

extension NoFix: CustomStringConvertible {
  /// A text for logs and test failures, such as
  /// `no fix at 2026-11-20T07:05:12.000Z of /dev/ttyACM0`, or `no fix yet` if it is not certain.
  /// Its format may change.
  public var description: String {
    let parts = [
      isCertain ? "no fix" : "no fix yet", time.map { " at \($0)" }, device.map { " of \($0)" },
      antenna.map { ", antenna \($0)" }, jam.map { ", jam \($0)" },
    ]
    return parts.compactMap(\.self).joined()
  }
}

extension LocationService: CustomStringConvertible {
  /// The service's ``name``.
  public var description: String { name }
}

/// A receiver of a location service.
public struct Receiver: Hashable, Sendable {
  /// The receiver's path on the service's machine, such as `/dev/ttyACM0`.
  public var path: String
  /// The driver, such as `NMEA0183` or `u-blox`; `nil` until the receiver is identified.
  public var driver: String?
  /// The receiver's model and firmware, as it reports them; `nil` if unknown.
  public var subtype: String?
  /// The speed of the serial line, in bits per second; `nil` if unknown or not a serial line.
  public var bitsPerSecond: Int?
  /// The time between two reports; `nil` if unknown.
  public var cycle: Duration?
  /// Whether the service has opened the receiver.
  public var isActive: Bool

  /// Creates a receiver. A property that is left out is unknown.
  public init(
    path: String, driver: String? = nil, subtype: String? = nil, bitsPerSecond: Int? = nil,
    cycle: Duration? = nil, isActive: Bool = true
  ) {
    self.path = path
    self.driver = driver
    self.subtype = subtype
    self.bitsPerSecond = bitsPerSecond
    self.cycle = cycle
    self.isActive = isActive
  }
}

extension Receiver: CustomStringConvertible {
  /// A text for logs and test failures, such as
  /// `/dev/ttyACM0, u-blox, M8030, 9600 bps, every 1.0 seconds`. Its format may change.
  public var description: String {
    let parts = [
      path.isEmpty ? "unnamed" : path, isActive ? nil : "not open", driver, subtype,
      bitsPerSecond.map { "\($0) bps" }, cycle.map { "every \($0)" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}
