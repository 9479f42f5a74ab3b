import LocationCore

/// Measures a leg, fix by fix.
struct LegMeter: Sendable {
  /// What was measured up to a fix.
  struct Totals: Sendable {
    /// The last fix that counts for the distance.
    fileprivate var mark: TripFix
    fileprivate var distance = 0.0
    /// The time in which the marks were far apart, in seconds.
    fileprivate var walked = 0.0
    fileprivate var topPace: Double?
    /// The integral of the measured speed, and the time in which it was not slow.
    fileprivate var dopplerDistance = 0.0
    fileprivate var rolled = 0.0
    fileprivate var topSpeed: Double?
    fileprivate var climbs = ClimbCounter()
    fileprivate var fixes = 0
    fileprivate var speeds = 0

    /// Adds the way from the last mark.
    fileprivate mutating func addWay(to fix: TripFix) {
      let way = mark.point.distance(to: fix.point)
      let seconds = fix.seconds - mark.seconds
      distance += way
      if way >= TripFix.slowest * seconds { walked += seconds }
      mark = fix
    }
  }

  let from: TripFix
  private(set) var totals: Totals
  private(set) var last: TripFix
  /// The last fix with a speed.
  private var measured: TripFix?
  /// The last fix up to which a speed was computed.
  private var paced: TripFix
  /// The last speed by the way, in metres per second; `nil` if it is unknown.
  private(set) var pace: Double?
  private var speeds = SustainedSpeed()
  private var paces = SustainedSpeed()
  private var verticalErrors = EvenPart<Double>()
  private var leastClimb = 5.0

  init(from fix: TripFix) {
    from = fix
    totals = Totals(mark: fix)
    last = fix
    paced = fix
    // Without the vertical error, which needs memory: in a stop a leg begins with each fix.
    count(fix)
  }

  mutating func add(_ fix: TripFix) {
    let way = totals.mark.point.distance(to: fix.point)
    if way > Self.noise(of: fix), fix.seconds > totals.mark.seconds { totals.addWay(to: fix) }
    if let speed = fix.speed {
      if let measured, let before = measured.speed {
        let mean = (before + speed) / 2
        let seconds = fix.seconds - measured.seconds
        totals.dopplerDistance += mean * seconds
        if mean >= TripFix.slowest { totals.rolled += seconds }
      }
      if let lasting = speeds.add(speed, at: fix.seconds) {
        totals.topSpeed = max(totals.topSpeed ?? 0, lasting)
      }
    } else {
      addPace(of: fix)
    }
    if let error = fix.verticalError, verticalErrors.add(error) {
      leastClimb = max(5, 2 * verticalErrors.elements.middle)
    }
    count(fix)
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
    return Leg(
      from: from.end, to: fix.end, distance: totals.distance,
      dopplerDistance: isMeasured ? totals.dopplerDistance : nil,
      duration: .seconds(fix.seconds - from.seconds),
      moving: .seconds(isMeasured ? totals.rolled : totals.walked),
      speedTop: isMeasured ? totals.topSpeed : totals.topPace,
      ascent: climbs?.ascent, descent: climbs?.descent, fixes: from.number..<fix.number + 1)
  }

  /// The distance that is not noise, in metres: of two fixes, twice the error of one, as far as that is
  /// not more than corners of streets are apart. An unknown error counts as 5 m.
  private static func noise(of fix: TripFix) -> Double {
    let error = fix.error ?? 5
    return max(3, error, min(2 * error, 15))
  }

  /// Counts a speed from the distance of fixes at least a second apart.
  private mutating func addPace(of fix: TripFix) {
    let seconds = fix.seconds - paced.seconds
    guard seconds >= 0.99 else { return }
    let way = paced.point.distance(to: fix.point)
    guard way > Self.noise(of: fix) else { return }
    paced = fix
    pace = way / seconds
    if let lasting = paces.add(way / seconds, at: fix.seconds) {
      totals.topPace = max(totals.topPace ?? 0, lasting)
    }
  }

  private mutating func count(_ fix: TripFix) {
    totals.fixes += 1
    if fix.speed != nil {
      totals.speeds += 1
      measured = fix
    }
    if let altitude = fix.altitude { totals.climbs.add(altitude, threshold: leastClimb) }
  }
}
