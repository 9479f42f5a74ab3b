/// Doubts a position that is not measured: one that is simulated, one that was given to the receiver, and one
/// that has been estimated for longer than it takes to pass a tunnel.
struct QualityDoubt: Sendable {
  /// How long a position may be estimated, in seconds: at 80 km/h, a tunnel of 7 km.
  static let tunnel = 300.0
  /// The maximum time that counts between two estimates, in seconds: the receiver may have been off.
  private static let longestStep = 60.0

  /// How long the position has been estimated, in seconds.
  private(set) var estimated = 0.0
  private var quality: FixQuality?

  var isEstimated: Bool { estimated >= Self.tunnel }
  var isSimulated: Bool { quality == .simulated }
  var isStored: Bool { quality == .timeOnly }

  /// Handles the quality of a fix, some seconds after the previous one.
  mutating func handle(_ quality: FixQuality?, after elapsed: Double) {
    self.quality = quality
    estimated = quality == .deadReckoning ? estimated + min(elapsed, Self.longestStep) : 0
  }
}

/// Doubts a position while interference is near the upper end of the receiver's scale. Lower levels are
/// reported as jamming, and disturb positions without making them wrong.
struct InterferenceDoubt: Sendable {
  /// The level of 255 at which the doubt begins: no recorded receiver reports more than 20.
  static let begin = 200
  /// The level below which it ends: a lower one, so that it does not begin and end with each report.
  static let end = 150

  private(set) var isDoubted = false
  private(set) var level = 0

  /// Handles the level in a fix; `nil` if none was reported for a while.
  mutating func handle(jam: Int?) {
    level = jam ?? 0
    isDoubted = level >= (isDoubted ? Self.end : Self.begin)
  }
}

/// Doubts a position because of its own values: it is exactly 0,0, which receivers without a fix report, or one
/// of its numbers is impossible. It is not compared with other positions.
struct ClaimDoubt: Sendable {
  /// No vehicle is faster, in metres per second: the speed of a satellite in a low orbit.
  static let speed = 8000.0
  /// No position of a receiver has a larger error, in metres. gpsd reports up to 2.3 km if the dilution of
  /// precision is 99.99, which means unknown.
  static let error = 3000.0

  /// What is claimed.
  enum Claim: Hashable, Sendable { case speed(Double), error(Double) }

  private(set) var isZero = false
  private(set) var claim: Claim?

  var isDoubted: Bool { isZero || claim != nil }

  /// Handles a fix.
  mutating func handle(_ fix: borrowing LocationFix) {
    isZero = fix.coordinate.latitude == 0 && fix.coordinate.longitude == 0
    let speed = max(fix.speed ?? 0, abs(fix.climbRate ?? 0))
    let error = max(fix.horizontalError ?? 0, fix.verticalError ?? 0)
    claim = speed > Self.speed ? .speed(speed) : error > Self.error ? .error(error) : nil
  }
}
