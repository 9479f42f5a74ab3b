/// Leaves out positions to which a receiver cannot have come: it would have to be faster than it is.
///
/// Reflected signals put a position hundreds of metres off for a second or three. What lasts for longer is where the
/// receiver is.
struct JumpFilter: Sendable {
  enum Verdict: Sendable {
    case follows
    /// Too far from the last one; later fixes show which of them is wrong.
    case jumps
    /// The receiver has been elsewhere for too long for an error.
    case isElsewhere
  }

  /// A jump that lasts for longer is none, in seconds.
  private static let longestJump = 3.5
  /// What noise, and the difference of two corrections, move a position by, in metres.
  private static let noise = 30.0
  /// How much faster than it was a receiver may be, in metres per second: more where it does not measure that.
  private static let (gain, unknownGain) = (9.0, 15.0)

  private var last: TripFix?
  /// The speed at the last fix, in metres per second.
  private var speed = 0.0
  /// Since when fixes have been too far, and how many.
  private var jump: (since: Double, fixes: Int)?

  /// Returns what a fix is. Each is later than the one before.
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
