import LocationCore

/// Measures a leg, fix by fix.
struct LegMeter: Sendable {
  /// What was measured up to a fix.
  struct Totals: Sendable {
    /// The last fix that counts for the distance.
    fileprivate var mark: TripFix
    fileprivate var distance = 0.0
    /// The part of the distance in which the receiver moved, and that time, in seconds: in all, and since the mark.
    fileprivate var movingDistance = 0.0
    fileprivate var moving = 0.0
    fileprivate var movingSinceMark = 0.0
    fileprivate var topPace: Double?
    /// The integral of the measured speed.
    fileprivate var dopplerDistance = 0.0
    fileprivate var topSpeed: Double?
    fileprivate var climbs = ClimbCounter()
    fileprivate var fixes = 1
    fileprivate var speeds = 0

    /// Adds the way from the last mark.
    fileprivate mutating func addWay(to fix: TripFix) {
      let way = mark.distance(to: fix)
      distance += way
      if movingSinceMark > 0 { movingDistance += way }
      movingSinceMark = 0
      mark = fix
    }
  }

  /// The square of a distance that noise hardly covers, divided by its mean: one in 160,000 is larger.
  private static let significance = 12.0
  /// The least diffusion of positions, in m²/s.
  private static let leastDiffusion = 0.004
  /// The least climb, in metres, and how many deviations of the heights are one.
  private static let (leastClimb, climbDeviations) = (5.0, 3.5)
  /// How many deviations apart heights of one turn may be. Of more, the mean would be far from a peak, and of fewer, it
  /// would be high above a plateau.
  private static let bandDeviations = 1.5

  let from: TripFix
  private(set) var totals: Totals
  private(set) var last: TripFix
  /// The last fix with a speed.
  private var measured: TripFix?
  /// The last speed by the way, in metres per second; `nil` if it is unknown.
  private(set) var pace: Double?
  private var speeds = SustainedSpeed()
  private var paces = SustainedSpeed()

  init(from fix: TripFix) {
    from = fix
    totals = Totals(mark: fix)
    last = fix
    if let altitude = fix.altitude {
      totals.climbs.add(altitude, threshold: .infinity, band: 0)
    }
    if let speed = fix.speed {
      measured = fix
      totals.speeds = 1
      totals.topSpeed = speeds.add(speed, at: fix.seconds)
    }
  }

  /// - Parameters:
  ///   - isMoving: Whether the receiver moved.
  ///   - noise: That of the receiver.
  mutating func add(_ fix: TripFix, isMoving: Bool, _ noise: TripNoise) {
    let seconds = fix.seconds - last.seconds
    if isMoving {
      totals.moving += seconds
      totals.movingSinceMark += seconds
    }
    addWay(to: fix, diffusion: max(noise.diffusion, Self.leastDiffusion), white: noise.white)
    if let speed = fix.speed {
      if let measured, let before = measured.speed {
        totals.dopplerDistance += (before + speed) / 2 * (fix.seconds - measured.seconds)
      }
      if let lasting = speeds.add(speed, at: fix.seconds) {
        totals.topSpeed = max(totals.topSpeed ?? 0, lasting)
      }
      totals.speeds += 1
      measured = fix
    }
    let least = max(Self.leastClimb, Self.climbDeviations * noise.heightDeviation)
    if let altitude = fix.altitude {
      let band = noise.knowsHeights ? Self.bandDeviations * noise.heightDeviation : 0
      totals.climbs.add(altitude, threshold: least, band: band)
    }
    totals.fixes += 1
    last = fix
  }

  /// The length up to the last fix that counts for it, in metres.
  var way: Double { totals.distance }

  /// Returns the leg up to a fix, at which the totals were these.
  func leg(to fix: TripFix, _ totals: Totals) -> Leg {
    var totals = totals
    totals.addWay(to: fix)
    let isMeasured = totals.speeds > 1 && 2 * totals.speeds >= totals.fixes
    let climbs = totals.climbs.sums
    let seconds = fix.seconds - from.seconds
    var top = isMeasured ? totals.topSpeed : totals.topPace
    // The mean lasted, too: a receiver may measure too little.
    if seconds >= SustainedSpeed.seconds { top = max(top ?? 0, totals.distance / seconds) }
    return Leg(
      start: from.end, end: fix.end, distance: totals.distance,
      dopplerDistance: isMeasured ? totals.dopplerDistance : nil,
      duration: .seconds(seconds), movingTime: .seconds(totals.moving),
      topSpeed: top,
      ascent: climbs?.ascent, descent: climbs?.descent, movingDistance: totals.movingDistance,
      fixes: from.number..<fix.number + 1)
  }

  /// Adds the way from the mark if noise did not make it, which takes a position to a mean square of 4 D t.
  private mutating func addWay(to fix: TripFix, diffusion: Double, white: Double) {
    let way = totals.mark.distance(to: fix)
    let seconds = fix.seconds - totals.mark.seconds
    guard seconds > 0, way * way >= Self.significance * 4 * (diffusion * seconds + white) else {
      return
    }
    totals.addWay(to: fix)
    pace = way / seconds
    if let lasting = paces.add(way / seconds, at: fix.seconds) {
      totals.topPace = max(totals.topPace ?? 0, lasting)
    }
  }
}
