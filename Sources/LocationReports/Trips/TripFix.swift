import LocationCore

/// What counts of a fix for stops and legs.
struct TripFix: Sendable {
  /// Below this speed, in metres per second, a receiver stands.
  static let slowest = 0.5
  /// No receiver is faster, in metres per second.
  static let fastest = 350.0

  let coordinate: Coordinate
  let point: SurfacePoint
  let time: Timestamp?
  let moment: Moment
  /// Metres above mean sea level; `nil` unless the fix is in 3D.
  let altitude: Double?
  /// Metres per second; `nil` if the receiver measured none that is possible.
  let speed: Double?
  /// The errors that the receiver claims, in metres.
  let error, verticalError: Double?
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
    error = fix.accuracy?.ifPlausible.map { max($0, 0) }
    verticalError = fix.epv?.ifPlausible.map { max($0, 0) }
    self.number = number
  }

  /// The farthest from a stop's median that belongs to it, in metres, by the claimed error of its fixes.
  static func reach(error: Double?) -> Double { max(25, 3 * (error ?? 0)) }

  var end: Leg.End { Leg.End(time: time, coordinate: coordinate, moment: moment) }

  /// Whether the measured speed is that of a receiver that stands; `nil` if none was measured.
  var isSlow: Bool? { speed.map { $0 < Self.slowest } }

  /// Returns the seconds to another fix: by the receiver's clock, unless that was set, or else by the
  /// clock of the updates.
  func elapsed(to other: TripFix) -> Double {
    let received = max(0, moment.nanoseconds(to: other.moment).inSeconds)
    guard let time, let later = other.time else { return received }
    let told = time.nanoseconds(to: later).inSeconds
    // A receiver's clock that is ahead of ours by more than a minute was set.
    return told >= 0 && told <= received + 60 ? told : received
  }

  /// Returns whether a receiver would have to be too fast to be at another fix after some seconds.
  func isTooFar(from other: TripFix, after seconds: Double) -> Bool {
    point.distance(to: other.point)
      > Self.fastest * seconds + Self.reach(error: max(error ?? 0, other.error ?? 0))
  }
}
