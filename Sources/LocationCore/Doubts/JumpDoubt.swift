/// Doubts a position that is farther from those before it than speed, scatter and time explain.
///
/// It is believed again when it is back where it would have come to, or after 30 s of positions that agree
/// with each other and with their speeds: then it was moved, or was wrong before.
struct JumpDoubt: Sendable {
  /// How long positions after a jump must agree, in seconds.
  static let agreement = 30.0
  /// Of a longer pause, no more counts towards the agreement, in seconds.
  private static let longestStep = 5.0

  private var believed: PositionTrack?
  /// The positions since the jump; `nil` while they are believed.
  private var candidate: PositionTrack?
  private var agreed = 0.0
  /// Why the position is doubted.
  private(set) var gap: PositionTrack.Gap?

  var isDoubted: Bool { gap != nil }

  /// Handles a fix, some seconds after the one before.
  mutating func handle(_ fix: borrowing LocationFix, after elapsed: Double) {
    guard believed != nil else {
      believed = PositionTrack(at: fix, after: nil)
      return
    }
    believed?.advance(to: fix, after: elapsed)
    guard let new = believed?.add(fix) else {
      if isDoubted { (candidate, gap) = (nil, nil) }
      return
    }
    guard isDoubted else {
      gap = new
      return begin(at: fix)
    }
    candidate?.advance(to: fix, after: elapsed)
    // What was wrong once has to be better than what was not, so that the doubt does not flicker.
    guard candidate?.add(fix, share: 0.5) == nil else { return begin(at: fix) }
    agreed += min(elapsed, Self.longestStep)
    guard agreed >= Self.agreement else { return }
    (believed, candidate, gap) = (candidate, nil, nil)
  }

  private mutating func begin(at fix: borrowing LocationFix) {
    candidate = PositionTrack(at: fix, after: believed)
    agreed = 0
  }
}
