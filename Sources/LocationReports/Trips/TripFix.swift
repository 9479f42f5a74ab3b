import LocationCore

/// The data of a fix that matter for stops and legs.
///
/// The error that a receiver claims counts only if the receiver measures no speed, because it does not show
/// whether the receiver moves.
struct TripFix: Sendable {
  /// The maximum speed of a receiver, in metres per second.
  static let fastest = 350.0
  /// The largest error that is assumed, in claimed errors.
  private static let claims = 4.0

  let coordinate: Coordinate
  let point: SurfacePoint
  let time: Timestamp?
  let moment: Moment
  /// The height above mean sea level, in metres; `nil` unless the fix is in 3D.
  let altitude: Double?
  /// The speed in metres per second; `nil` if the receiver reported none, or an impossible one.
  let speed: Double?
  /// How far the receiver may be from its reported position, in metres: four times the claimed error. It is 0
  /// if the receiver claims no error or measures its speed, which is better evidence.
  let doubt: Double
  /// The number of earlier fixes.
  let number: Int
  /// The time since the first fix. It never decreases.
  var seconds = 0.0
  /// The number of the fix before, if the receiver was not seen since then for longer than usual; `nil` otherwise.
  var absentSince: Int?

  init(_ fix: LocationFix, number: Int, at moment: Moment) {
    coordinate = fix.coordinate
    point = SurfacePoint(fix.coordinate)
    time = fix.time
    self.moment = moment
    altitude = fix.mode == .fix3D ? fix.altitude?.ifPlausible : nil
    speed = fix.speed.flatMap { (0..<Self.fastest).contains($0) ? $0 : nil }
    doubt = speed == nil ? max(0, fix[.eph]?.ifPlausible ?? 0) * Self.claims : 0
    self.number = number
  }

  var end: Leg.End { Leg.End(time: time, coordinate: coordinate, moment: moment) }

  /// Returns the seconds until another fix, by the receiver's clock, or by the clock of the updates if the
  /// receiver's clock was set.
  func elapsed(to other: TripFix) -> Double {
    let received = max(0, moment.nanoseconds(to: other.moment).inSeconds)
    guard let time, let later = other.time else { return received }
    let told = time.nanoseconds(to: later).inSeconds
    // If the receiver's clock gains more than a minute, it was set.
    return told >= 0 && told <= received + 60 ? told : received
  }

  func distance(to other: TripFix) -> Double { point.distance(to: other.point) }
}
