/// Excludes positions that the receiver cannot have reached.
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
  private static let noise = 30.0
  /// By how much a receiver may exceed one and a half of its last speed, in metres per second.
  private static let gain = 15.0

  private var last: TripFix?
  /// The speed at which the receiver reached the last position, in metres per second.
  private var pace = 0.0
  /// Since when fixes have been too far away, and how many.
  private var jump: (since: Double, fixes: Int)?

  /// Judges a fix. Each fix must be later than the one before.
  mutating func judge(_ fix: TripFix) -> Verdict {
    guard let last else {
      self.last = fix
      return .follows
    }
    let seconds = fix.seconds - last.seconds
    let way = last.distance(to: fix)
    let follows = way <= Self.noise + (1.5 * pace + Self.gain) * seconds
    if !follows {
      let begun = jump ?? (fix.seconds, 0)
      jump = (begun.since, begun.fixes + 1)
      guard fix.seconds - begun.since > Self.longestJump, begun.fixes > 0 else { return .jumps }
    }
    if seconds > 0 { pace = min(way / seconds, TripFix.fastest) }
    (self.last, jump) = (fix, nil)
    return follows ? .follows : .isElsewhere
  }
}
