/// A position that a receiver reported, with all that came with it in one epoch.
///
/// Names are those of gpsd_json(5). A quantity that the receiver did not give is `nil`; none is
/// ever NaN, infinite or made up.
public struct LocationFix: Sendable {
  /// Latitude and longitude, always there and in range.
  public var coordinate: Coordinate
  /// ``FixMode/twoD`` or ``FixMode/threeD``.
  public var mode: FixMode
  /// The receiver's path on gpsd's machine, such as `/dev/ttyACM0`; empty where gpsd names none.
  public var device: String
  /// The instant of the fix by the receiver's clock. `nil` until the receiver knows the time.
  public var time: Timestamp?
  /// When this machine received the fix, by its own clock. `nil` in a replay of a recording
  /// without receive times.
  public var received: Timestamp?
  /// Whether the fix describes now. A fix that was held up on its way (a backlog that drains after
  /// a pause) is reported with its true time, and is not current.
  public var isCurrent = true
  /// How far the receiver's clock jumped at this fix, against this machine's: negative is
  /// backward. `nil` where it ran on evenly.
  public var timeJump: Duration?

  var quantities = InlineArray<24, Double>(repeating: 0)
  var known: UInt32 = 0
  private var used: UInt8?
  private var seen: UInt8?

  public init(
    coordinate: Coordinate, mode: FixMode, device: String = "", time: Timestamp? = nil
  ) {
    self.coordinate = coordinate
    self.mode = mode
    self.device = device
    self.time = time
  }

  /// How many satellites the position was computed from, 0 to 255.
  public var satellitesUsed: Int? {
    get { used.map(Int.init) }
    set { used = newValue.map { UInt8(clamping: $0) } }
  }

  /// How many satellites were in view, 0 to 255.
  public var satellitesSeen: Int? {
    get { seen.map(Int.init) }
    set { seen = newValue.map { UInt8(clamping: $0) } }
  }

  /// Estimated horizontal error in metres: ``eph``, else the root of the squares of ``epx`` and
  /// ``epy``; `nil` where the receiver estimates none.
  public var accuracy: Double? {
    if let eph { return eph }
    guard let epx, let epy else { return nil }
    return (epx * epx + epy * epy).squareRoot()
  }

  /// How old the fix was when it was received, in seconds: ``received`` less ``time``. It is
  /// negative where this machine's clock is behind the receiver's.
  public var age: Double? {
    guard let time, let received else { return nil }
    return time.duration(to: received).inSeconds
  }
}

extension LocationFix: Hashable {
  public static func == (lhs: LocationFix, rhs: LocationFix) -> Bool {
    guard
      lhs.coordinate == rhs.coordinate, lhs.mode == rhs.mode, lhs.device == rhs.device,
      lhs.time == rhs.time, lhs.received == rhs.received, lhs.isCurrent == rhs.isCurrent,
      lhs.timeJump == rhs.timeJump, lhs.used == rhs.used, lhs.seen == rhs.seen,
      lhs.known == rhs.known
    else { return false }
    return Quantity.allCases.allSatisfy { lhs[$0] == rhs[$0] }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(coordinate)
    hasher.combine(mode)
    hasher.combine(device)
    hasher.combine(time)
    hasher.combine(known)
  }
}
