import LocationCore

/// What counts of a fix for stops and legs.
///
/// The error that a receiver claims counts only where it measures no speed: it does not say whether the receiver moves.
struct TripFix: Sendable {
  /// No receiver is faster, in metres per second.
  static let fastest = 350.0
  /// How many claimed errors from a place no error is.
  private static let claims = 4.0

  let coordinate: Coordinate
  let point: SurfacePoint
  let time: Timestamp?
  let moment: Moment
  /// Metres above mean sea level; `nil` unless the fix is in 3D.
  let altitude: Double?
  /// Metres per second; `nil` if the receiver measured none that is possible.
  let speed: Double?
  /// How far from its place the receiver may be, in metres: four times the error that it claims. 0 if it claims none, or
  /// measures its speed, which is better evidence.
  let doubt: Double
  /// The number of fixes before.
  let number: Int
  /// Since the first fix. It never decreases.
  var seconds = 0.0

  init(_ fix: LocationFix, number: Int, at moment: Moment) {
    coordinate = fix.coordinate
    point = SurfacePoint(fix.coordinate)
    time = fix.time
    self.moment = moment
    altitude = fix.mode == .fix3D ? fix.altMSL?.ifPlausible : nil
    speed = fix.speed.flatMap { (0..<Self.fastest).contains($0) ? $0 : nil }
    doubt = speed == nil ? max(0, fix.eph?.ifPlausible ?? 0) * Self.claims : 0
    self.number = number
  }

  var end: Leg.End { Leg.End(time: time, coordinate: coordinate, moment: moment) }

  /// Returns the seconds to another fix: by the receiver's clock, unless that was set, or else by the
  /// clock of the updates.
  func elapsed(to other: TripFix) -> Double {
    let received = max(0, moment.nanoseconds(to: other.moment).inSeconds)
    guard let time, let later = other.time else { return received }
    let told = time.nanoseconds(to: later).inSeconds
    // A receiver's clock that is ahead of ours by more than a minute was set.
    return told >= 0 && told <= received + 60 ? told : received
  }

  func distance(to other: TripFix) -> Double { point.distance(to: other.point) }
}
