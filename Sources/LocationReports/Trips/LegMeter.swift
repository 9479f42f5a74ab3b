import LocationCore

/// Measures a leg, one fix after another.
struct LegMeter: Sendable {
  /// The measurements up to a fix.
  struct Totals: Sendable {
    /// The last fix that counts for the distance.
    fileprivate var mark: TripFix
    fileprivate var distance = 0.0
    /// The distance that was covered while the receiver moved, and the time of the movement in seconds, in
    /// total and since the mark.
    fileprivate var movingDistance = 0.0
    fileprivate var moving = 0.0
    fileprivate var movingSinceMark = 0.0
    fileprivate var topPace: Double?
    /// The integral of the measured speed, in metres.
    fileprivate var dopplerDistance = 0.0
    /// The distance while the receiver moved, by the measured speed where it was measured often enough, in metres.
    fileprivate var measuredDistance = 0.0
    /// The number of movements between two fixes for which it was not.
    fileprivate var unmeasured = 0
    fileprivate var topSpeed: Double?
    fileprivate var climbs = ClimbCounter()
    fileprivate var fixes = 1
    fileprivate var speeds = 0

    /// Adds the distance from the last mark.
    fileprivate mutating func addWay(to fix: TripFix) {
      let way = mark.distance(to: fix)
      distance += way
      if movingSinceMark > 0 { movingDistance += way }
      movingSinceMark = 0
      mark = fix
    }
  }

  /// A squared distance is not noise if it exceeds the mean of noise by this factor. Noise exceeds it once in
  /// 160,000 cases.
  private static let significance = 12.0
  /// The smallest diffusion of positions, in m²/s.
  private static let leastDiffusion = 0.004
  /// A speed that is measured less often does not show the distance, in seconds.
  private static let longestStep = 10.0
  /// At most one of this many movements is not measured, so that errors of positions do not add up.
  private static let measuredPerUnmeasured = 10
  /// The positions can hide this part of the distance, because noise also cuts corners. If more is missing, the speed
  /// is wrong.
  private static let mostHidden = 0.25
  /// By how much the mean speed may exceed the top speed, because both have errors.
  private static let tolerance = 1.05
  /// The smallest climb, in metres, and as a number of deviations of the heights.
  private static let (leastClimb, climbDeviations) = (5.0, 3.5)
  /// The heights of one turn differ by at most this many deviations. With more, the mean would be far from a
  /// peak. With fewer, it would be high above a plateau.
  private static let bandDeviations = 1.5

  let from: TripFix
  private(set) var totals: Totals
  private(set) var last: TripFix
  /// The last fix with a speed.
  private var measured: TripFix?
  /// The last speed according to the positions, in metres per second; `nil` if it is unknown.
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
  ///   - noise: The noise of the receiver.
  mutating func add(_ fix: TripFix, isMoving: Bool, _ noise: TripNoise) {
    let seconds = fix.seconds - last.seconds
    if isMoving {
      totals.moving += seconds
      totals.movingSinceMark += seconds
      if seconds <= Self.longestStep, let before = last.speed, let speed = fix.speed {
        totals.measuredDistance += (before + speed) / 2 * seconds
      } else {
        totals.measuredDistance += last.distance(to: fix)
        totals.unmeasured += 1
      }
    }
    addWay(
      to: fix, stands: !isMoving && fix.speed != nil && seconds <= Self.longestStep,
      diffusion: max(noise.diffusion, Self.leastDiffusion), white: noise.white)
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

  /// Returns the leg up to a fix, with the totals at that fix.
  func leg(to fix: TripFix, _ totals: Totals) -> Leg {
    var totals = totals
    totals.addWay(to: fix)
    let isMeasured = totals.speeds > 1 && 2 * totals.speeds >= totals.fixes
    let climbs = totals.climbs.sums
    let seconds = fix.seconds - from.seconds
    let measured = totals.measuredDistance
    if totals.unmeasured * Self.measuredPerUnmeasured <= totals.fixes,
      measured > totals.distance, measured <= totals.distance * (1 + Self.mostHidden)
    {
      totals.movingDistance += measured - totals.distance
      totals.distance = measured
    }
    // A speed below the mean is not the top speed: the receiver was faster where it was not measured.
    let mean = seconds > 0 ? totals.distance / seconds : 0
    let top = (isMeasured ? totals.topSpeed : totals.topPace).flatMap {
      mean <= $0 * Self.tolerance && max($0, mean) <= TripFix.fastest ? max($0, mean) : nil
    }
    return Leg(
      start: from.end, end: fix.end, distance: totals.distance,
      dopplerDistance: isMeasured ? totals.dopplerDistance : nil,
      duration: .seconds(seconds), movingTime: .seconds(totals.moving),
      topSpeed: top,
      ascent: climbs?.ascent, descent: climbs?.descent, movingDistance: totals.movingDistance,
      fixes: from.number..<fix.number + 1)
  }

  /// Adds the distance from the mark unless noise explains it. The mean square of noise is 4 D t.
  ///
  /// - Parameter stands: Whether the receiver stands by its speed. If it is elsewhere, its position has jumped, and may
  ///   be back soon.
  private mutating func addWay(
    to fix: TripFix, stands: Bool, diffusion: Double, white: Double
  ) {
    let way = totals.mark.distance(to: fix)
    let seconds = fix.seconds - totals.mark.seconds
    guard seconds > 0, way * way >= Self.significance * 4 * (diffusion * seconds + white),
      !stands || way <= JumpFilter.noise
    else { return }
    totals.addWay(to: fix)
    pace = way / seconds
    if let lasting = paces.add(way / seconds, at: fix.seconds) {
      totals.topPace = max(totals.topPace ?? 0, lasting)
    }
  }
}
