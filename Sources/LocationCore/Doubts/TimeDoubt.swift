/// Doubts the time of a receiver: a date that is off by 1,024 weeks, or a time that is not that of this
/// machine's clock, if something else keeps that right.
struct TimeDoubt: Sendable {
  /// A receiver's time is ahead of a right clock by more than this number of seconds only if it is wrong.
  static let early = 0.9
  /// A report is later than this number of seconds only if its time is wrong: receivers at 4,800 baud send
  /// theirs more than a second late.
  static let late = 2.5
  /// The time of the first fixes is not to be trusted, says gpsd.
  static let firstFixes = 3
  /// How many fixes in a row begin or end the doubt.
  static let fixes = 3

  private var count = 0
  private var different = 0
  private(set) var isDoubted = false
  /// By how much the receiver's time is ahead, in seconds.
  private(set) var offset = 0.0

  /// Handles a fix.
  ///
  /// - Parameter isClockRight: Whether the kernel says that this machine's clock is synchronised.
  mutating func handle(_ fix: borrowing LocationFix, isClockRight: Bool) {
    guard fix.isCurrent, let time = fix.time, let received = fix.received else { return }
    count = min(count + 1, Self.firstFixes + 1)
    guard count > Self.firstFixes else { return }
    let ahead = received.nanoseconds(to: time).inSeconds
    let isWrong =
      fix.rollover != nil || (isClockRight && (ahead > Self.early || -ahead > Self.late))
    if isWrong { offset = ahead }
    different = isWrong == isDoubted ? 0 : different + 1
    guard different == Self.fixes else { return }
    different = 0
    isDoubted = isWrong
  }
}
