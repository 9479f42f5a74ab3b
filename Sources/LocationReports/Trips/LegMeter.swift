import LocationCore

/// Measures a leg, one fix after another.
struct LegMeter: Sendable {
  /// The positions of the best receivers move by 0.44 √t metres in t seconds.
  private static let leastReach = 0.44
  /// Noise of positions cuts corners, and can hide this part of the distance. If more is missing, the speed is wrong.
  private static let mostHidden = 0.25
  /// By how much the mean speed may exceed the top speed, because both have errors.
  private static let tolerance = 1.05
  /// The smallest climb, in metres, and as a number of deviations of the heights.
  private static let (leastClimb, climbDeviations) = (5.0, 3.5)
  /// The heights of one turn differ by at most this many deviations. With more, the mean would be far from a
  /// peak. With fewer, it would be high above a plateau.
  private static let bandDeviations = 1.5

  let from: TripFix
  private(set) var last: TripFix
  /// The last fix that counts for the distance. The distance up to it in metres, and the time of movement in seconds.
  private var mark: TripFix
  private var (distance, moving) = (0.0, 0.0)
  /// The time of movement since the mark according to the speed; `nil` if a speed is unknown.
  private var movingSinceMark: Double? = 0
  /// The last fix for which noise explains half of the distance from the mark.
  private var lastNear: TripFix
  /// The number of fixes, and that of fixes with a speed.
  private var (fixes, speeds) = (1, 0)
  /// The last fix with a speed, and the integral of the speed up to it, in metres.
  private var lastMeasured: TripFix?
  private var measured = 0.0
  /// The highest measured speed, and that of the positions.
  private var (topSpeed, topPace) = (SustainedSpeed(), SustainedSpeed())
  private var climbs = ClimbCounter()
  /// The last speed according to the positions, in metres per second; `nil` if it is unknown.
  private(set) var pace: Double?

  /// The length up to the last fix, in metres.
  var way: Double { distance + mark.distance(to: last) }

  init(from fix: TripFix) {
    (from, last, mark, lastNear) = (fix, fix, fix, fix)
    if let altitude = fix.altitude { climbs.add(altitude, threshold: .infinity, band: 0) }
    if let speed = fix.speed { measure(speed, fix) }
  }

  init(from fix: TripFix, through fixes: [TripFix], _ noise: TripNoise) {
    self.init(from: fix)
    for fix in fixes { add(fix, noise) }
  }

  mutating func add(_ fix: TripFix, _ noise: TripNoise) {
    if let speed = last.steadySpeed(to: fix) {
      let seconds = speed < TripFix.slow ? 0 : fix.seconds - last.seconds
      movingSinceMark = movingSinceMark.map { $0 + seconds }
    } else {
      movingSinceMark = nil
    }
    if let speed = fix.speed {
      if let before = lastMeasured, let mean = before.meanSpeed(to: fix), mean >= TripFix.slow {
        measured += mean * (fix.seconds - before.seconds)
      }
      measure(speed, fix)
    }
    last = fix
    let (way, seconds) = (mark.distance(to: fix), fix.seconds - mark.seconds)
    let reach = max(Self.leastReach * seconds.squareRoot(), noise.reach(over: seconds))
    if seconds > 0, way >= reach {
      moving += timeSinceMark
      distance += way
      pace = way / seconds
      topPace.add(way / seconds, at: fix.seconds)
      (mark, lastNear, movingSinceMark) = (fix, fix, 0)
    } else if way < reach / 2 {
      lastNear = fix
    }
    if let altitude = fix.altitude {
      climbs.add(
        altitude, threshold: max(Self.leastClimb, Self.climbDeviations * noise.heightDeviation),
        band: noise.knowsHeights ? Self.bandDeviations * noise.heightDeviation : 0)
    }
    fixes += 1
  }

  private mutating func measure(_ speed: Double, _ fix: TripFix) {
    topSpeed.add(speed, at: fix.seconds)
    speeds += 1
    lastMeasured = fix
  }

  /// How long the receiver moved since the mark, in seconds. Without speeds above 0, it rested before it set off at the
  /// speed of its last positions.
  private var timeSinceMark: Double {
    let (way, seconds) = (mark.distance(to: last), last.seconds - mark.seconds)
    let rest = way - mark.distance(to: lastNear)
    guard rest > 0 else { return 0 }
    if let movingSinceMark, movingSinceMark > 0 { return movingSinceMark }
    return min(seconds, way / rest * (last.seconds - lastNear.seconds))
  }

  /// The leg up to the last fix.
  var leg: Leg {
    let seconds = last.seconds - from.seconds
    let isMeasured = speeds > 1 && 2 * speeds >= fixes
    var distance = way
    let isBelieved =
      isMeasured && measured >= distance * (1 - Self.mostHidden)
      && measured <= distance * (1 + 2 * Self.mostHidden)
    if isMeasured, measured > distance, measured <= distance * (1 + Self.mostHidden) {
      distance = measured
    }
    // A speed below the mean is not the top speed: the receiver was faster where it was not measured.
    let mean = seconds > 0 ? distance / seconds : 0
    let top = (isBelieved ? topSpeed : topPace).highest.flatMap {
      mean <= $0 * Self.tolerance && max($0, mean) <= TripFix.fastest ? max($0, mean) : nil
    }
    let sums = climbs.sums
    return Leg(
      start: from.end, end: last.end, distance: distance,
      dopplerDistance: isMeasured ? measured : nil, duration: .seconds(seconds),
      movingTime: .seconds(min(moving + timeSinceMark, seconds)), topSpeed: top,
      ascent: sums?.ascent, descent: sums?.descent, fixes: from.number..<last.number + 1)
  }
}
