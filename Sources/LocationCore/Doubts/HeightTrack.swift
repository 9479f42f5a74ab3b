/// Heights that follow from each other: within 3 s, at most 100 m of a change are not explained by a climb.
struct HeightTrack: DoubtTrack {
  /// The change in metres that noise explains: heights are about twice as uncertain as positions.
  static let noise = 100.0
  /// The same while the receiver settles: after a cold start, heights wander by twice the 200 m of positions.
  static let firstNoise = 500.0
  /// How long an unexplained change counts, in seconds: over a longer time, slow errors would add up.
  static let window = 3.0
  /// The ellipsoid is no farther from the sea than this number of metres: it is 107 m off south of India.
  static let undulation = 110.0
  /// The climb assumed for a receiver that reports none, or has no height, in metres per second: skydivers fall at 90.
  private static let maximumClimb = 100.0
  /// How wrong a reported climb can be, in metres per second: at rest, 99 % of the recorded ones are below 3.3.
  private static let tolerance = 5.0

  /// The last height, above the ellipsoid or else above the sea.
  private var height = 0.0
  private var isAboveEllipsoid = false
  private var climb: Double?
  private var error = 0.0
  /// The seconds since then, and those without a height of another track: only these explain more than climbs do.
  private var (elapsed, free) = (0.0, 0.0)
  /// The part of the last changes that climbs do not explain, in metres. It is kept while the heights do not agree.
  private var unexplained = 0.0
  private var isLeft = false
  private var unsettled: Double

  static func compares(_ fix: borrowing LocationFix) -> Bool {
    fix.mode == .fix3D && (fix.ellipsoidalAltitude != nil || fix.altitude != nil)
  }

  init(at fix: borrowing LocationFix, after track: HeightTrack?) {
    unsettled = track?.unsettled ?? PositionTrack.settling
    take(fix)
  }

  mutating func advance(to fix: borrowing LocationFix, after elapsed: Double) {
    self.elapsed += elapsed
    unsettled = max(0, unsettled - elapsed)
    let isOutage = elapsed > PositionTrack.outage
    if isOutage { unsettled = PositionTrack.settling }
    if isOutage || !isLeft { free += elapsed }
  }

  /// Returns the unexplained part of the change, in metres, if it is too large; `nil` if the height was added.
  mutating func add(_ fix: borrowing LocationFix, share: Double) -> Double? {
    let isSameKind = isAboveEllipsoid == (fix.ellipsoidalAltitude != nil)
    let change = (fix.ellipsoidalAltitude ?? fix.altitude ?? 0) - height
    let left = isLeft ? 1 : max(0, 1 - elapsed / Self.window)
    let total = unexplained * left + rest(of: change, to: fix.climbRate)
    let claimed = min(
      PositionTrack.claims * max(error, fix.verticalError ?? 0), PositionTrack.mostError)
    let limit = max(least, claimed) * share + (isSameKind ? 0 : Self.undulation)
    isLeft = abs(total) > limit
    guard !isLeft else { return total }
    let isContinued = isSameKind && elapsed <= PositionTrack.outage
    unexplained = isContinued ? max(-least, min(total, least)) : 0
    take(fix)
    return nil
  }

  private var least: Double { unsettled > 0 ? Self.firstNoise : Self.noise }

  private mutating func take(_ fix: borrowing LocationFix) {
    height = fix.ellipsoidalAltitude ?? fix.altitude ?? 0
    isAboveEllipsoid = fix.ellipsoidalAltitude != nil
    climb = fix.climbRate
    error = fix.verticalError ?? 0
    (elapsed, free) = (0, 0)
  }

  /// Returns the part of a change that the climbs at both ends do not explain. A climb counts only if the height
  /// changes with it, and only up to what a vehicle can have reached since the last climb.
  private func rest(of change: Double, to new: Double?) -> Double {
    guard let one = climb ?? new, let new = new ?? climb else {
      let explained = Self.maximumClimb * free
      return change - max(-explained, min(change, explained))
    }
    let possible = PositionTrack.mostAcceleration * elapsed
    let other = max(one - possible, min(new, one + possible))
    let slack = free * (free > PositionTrack.outage ? Self.maximumClimb : Self.tolerance)
    let least = min(one, other, 0) * elapsed - slack
    let most = max(one, other, 0) * elapsed + slack
    return change - max(least, min(change, most))
  }
}
