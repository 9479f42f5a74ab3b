/// Doubts a height that changes by more than 100 m within 3 s, unless a climb says so. It is believed again
/// as a position is after a jump.
struct HeightDoubt: Sendable {
  /// The change in metres that noise explains.
  static let noise = 100.0
  /// The same of a receiver that has not settled.
  static let firstNoise = 500.0
  /// How long an unexplained change counts, in seconds.
  static let window = 3.0
  /// The climb of a receiver that reports none, in metres per second.
  private static let maximumClimb = 100.0
  /// How wrong a reported one may be.
  private static let tolerance = 5.0
  /// Of a longer pause, no more counts towards the agreement, in seconds.
  private static let longestStep = 5.0

  /// Heights above the ellipsoid, or else above the sea, which are not mixed.
  private var isAboveEllipsoid = false
  private var last: (height: Double, climb: Double?)?
  /// The seconds since the last height.
  private var elapsed = 0.0
  /// What climbs do not explain of the changes of the last seconds.
  private var unexplained = 0.0
  private var unsettled = PositionTrack.settling
  /// The unexplained change that is doubted, what is left of it, both in metres, and for how many seconds
  /// heights have agreed since.
  private var doubt: (change: Double, offset: Double, agreed: Double)?

  var isDoubted: Bool { doubt != nil }
  var change: Double? { doubt?.change }

  /// Handles a fix, some seconds after the one before.
  mutating func handle(_ fix: borrowing LocationFix, after step: Double) {
    elapsed += step
    guard fix.mode == .fix3D, let height = fix.altHAE ?? fix.altMSL else { return }
    let isAboveEllipsoid = fix.altHAE != nil
    defer {
      last = (height, fix.climb)
      self.isAboveEllipsoid = isAboveEllipsoid
      elapsed = 0
    }
    guard let last, isAboveEllipsoid == self.isAboveEllipsoid, elapsed <= PositionTrack.outage
    else {
      // Nothing is known of the time between.
      unsettled = PositionTrack.settling
      (unexplained, doubt) = (0, nil)
      return
    }
    unsettled = max(0, unsettled - elapsed)
    let limit = max(unsettled > 0 ? Self.firstNoise : Self.noise, 2.5 * (fix.epv ?? 0))
    let rest = rest(of: height - last.height, climbs: (last.climb, fix.climb))
    unexplained = unexplained * max(0, 1 - elapsed / Self.window) + rest
    guard var doubt else {
      guard abs(unexplained) > limit else { return }
      self.doubt = (unexplained, unexplained, 0)
      unexplained = 0
      return
    }
    doubt.offset += rest
    doubt.agreed =
      abs(unexplained) > limit / 2 ? 0 : doubt.agreed + min(elapsed, Self.longestStep)
    if abs(doubt.offset) > limit, doubt.agreed < JumpDoubt.agreement {
      self.doubt = doubt
    } else {
      (unexplained, self.doubt) = (0, nil)
    }
  }

  /// Returns what the climbs at both ends do not explain of a change. A climb that no height follows is no
  /// change.
  private func rest(of change: Double, climbs: (Double?, Double?)) -> Double {
    guard let one = climbs.0 ?? climbs.1, let other = climbs.1 ?? climbs.0 else {
      let explained = Self.maximumClimb * elapsed
      return change - max(-explained, min(change, explained))
    }
    let least = (min(one, other, 0) - Self.tolerance) * elapsed
    let most = (max(one, other, 0) + Self.tolerance) * elapsed
    return change - max(least, min(change, most))
  }
}
