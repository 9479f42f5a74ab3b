import LocationCore

/// The data of a fix that matter for stops and legs.
struct TripFix: Sendable {
  /// How the receiver came to a position.
  enum Approach: Sendable {
    case seen
    /// It was not seen for longer than usual.
    case absent
    /// Its position jumped, and stays.
    case jumped
    /// It was not seen for more than ten minutes.
    case silent
    /// No receiver is that fast.
    case impossible
  }

  /// The maximum speed of a receiver, in metres per second.
  static let fastest = 350.0
  /// A receiver whose speed is lower stands, in metres per second: the speeds of receivers that stand err by up to this.
  static let slow = 0.3
  /// Speeds that are farther apart do not show what the receiver did in between, in seconds.
  private static let longestStep = 10.0
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
  /// The claimed error, in metres. It is 0 if the receiver claims none, or measures its speed, which is better evidence.
  private let claim: Double
  /// The number of earlier fixes.
  let number: Int
  /// The time since the first fix. It never decreases.
  var seconds = 0.0
  var approach = Approach.seen

  init(_ fix: LocationFix, number: Int, at moment: Moment) {
    coordinate = fix.coordinate
    point = SurfacePoint(fix.coordinate)
    time = fix.time
    self.moment = moment
    altitude = fix.mode == .fix3D ? fix.altitude?.ifPlausible : nil
    speed = fix.speed.flatMap { (0..<Self.fastest).contains($0) ? $0 : nil }
    claim = speed == nil ? max(0, fix[.eph]?.ifPlausible ?? 0) : 0
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

  /// Returns the mean of both measured speeds, in metres per second.
  func meanSpeed(to other: TripFix) -> Double? {
    guard let speed, let later = other.speed else { return nil }
    return (speed + later) / 2
  }

  /// Returns the mean of both measured speeds; `nil` if they do not show what the receiver did in between.
  func steadySpeed(to other: TripFix) -> Double? {
    other.seconds - seconds <= Self.longestStep ? meanSpeed(to: other) : nil
  }

  /// Returns how far the receiver may be from a position whose claimed error is wider than a stop, in metres. Smaller
  /// claims show nothing, because the noise is observed.
  func possibleError(_ reach: Double) -> Double { claim > reach ? Self.claims * claim : 0 }

  func distance(to other: TripFix) -> Double { point.distance(to: other.point) }
}
