/// Excludes positions that the receiver cannot have reached at its speed.
///
/// Reflected signals can displace a position by hundreds of metres for up to three seconds. A displacement
/// that lasts longer is real.
struct JumpFilter: Sendable {
  enum Verdict: Sendable {
    case follows
    /// The position is too far from the last one. Later fixes show which of them is wrong.
    case jumps
    /// The receiver has been elsewhere for too long for this to be an error.
    case isElsewhere
  }

  /// The maximum duration of a jump, in seconds.
  private static let longestJump = 3.5
  /// How far noise, and a change of corrections, can move a position, in metres.
  static let noise = 30.0
  /// By how much a receiver may exceed its last speed, in metres per second. The second value is for a
  /// receiver that does not measure its speed.
  private static let (gain, unknownGain) = (9.0, 15.0)

  private var last: TripFix?
  /// The speed at the last fix, in metres per second.
  private var speed = 0.0
  /// Since when fixes have been too far away, and how many.
  private var jump: (since: Double, fixes: Int)?

  /// Judges a fix. Each fix must be later than the one before.
  mutating func judge(_ fix: TripFix) -> Verdict {
    guard let last else {
      accept(fix, speed: fix.speed ?? 0)
      return .follows
    }
    let seconds = fix.seconds - last.seconds
    let way = last.distance(to: fix)
    let usual = max(speed, fix.speed ?? 0)
    let gain = fix.speed == nil ? Self.unknownGain : Self.gain
    if way <= Self.noise + (1.5 * usual + gain) * seconds {
      accept(fix, speed: fix.speed ?? (seconds > 0 ? way / seconds : speed))
      return .follows
    }
    let begun = jump ?? (fix.seconds, 0)
    jump = (begun.since, begun.fixes + 1)
    guard fix.seconds - begun.since > Self.longestJump, begun.fixes > 0 else { return .jumps }
    accept(fix, speed: fix.speed ?? min(way / seconds, TripFix.fastest))
    return .isElsewhere
  }

  private mutating func accept(_ fix: TripFix, speed: Double) {
    (last, jump) = (fix, nil)
    self.speed = speed
  }
}
