/// Doubts the time of a receiver: the date is off by a multiple of 1,024 weeks, or the time differs from the
/// local clock, if something other than the receiver keeps that clock right.
struct TimeDoubt: Sendable {
  /// A receiver's time that is ahead of a correct clock by more than this number of seconds is wrong.
  static let early = 0.9
  /// If a report is later than this number of seconds, its time is wrong: a serial line and a network can delay
  /// it for seconds, but not longer.
  static let late = 5.0
  /// The number of first fixes whose time cannot be trusted, according to gpsd.
  static let firstFixes = 3
  /// How many fixes in a row begin or end the doubt.
  static let fixes = 3
  /// How long an answer about the error of the local clock is used, in seconds.
  static let answerLife = 60.0

  /// Returns by how many seconds the local clock can be wrong; `nil` if nothing keeps it right.
  let clockError: @Sendable () -> Double?
  /// The last answer, and when it was given.
  private var answer: (error: Double?, moment: Moment)?
  private var count = 0
  private var different = 0
  private(set) var isDoubted = false
  /// By how much the receiver's time is ahead, in seconds.
  private(set) var offset = 0.0

  init(clockError: @escaping @Sendable () -> Double?) { self.clockError = clockError }

  /// Handles a fix.
  mutating func handle(_ fix: borrowing LocationFix, at moment: Moment) {
    guard fix.isCurrent, let time = fix.time, let received = fix.received else { return }
    count = min(count + 1, Self.firstFixes + 1)
    guard count > Self.firstFixes else { return }
    let ahead = received.nanoseconds(to: time).inSeconds
    let isWrong = fix.rollover != nil || isOff(ahead, at: moment)
    if isWrong { offset = ahead }
    different = isWrong == isDoubted ? 0 : different + 1
    guard different == Self.fixes else { return }
    different = 0
    isDoubted = isWrong
  }

  /// Returns whether a receiver whose time is `ahead` seconds ahead is wrong, and not the local clock. The
  /// kernel is asked only if one of them is wrong, and at most once a minute.
  private mutating func isOff(_ ahead: Double, at moment: Moment) -> Bool {
    let excess = ahead > 0 ? ahead - Self.early : -ahead - Self.late
    guard excess > 0 else { return false }
    let age = answer?.moment.nanoseconds(to: moment).inSeconds ?? .infinity
    if age >= Self.answerLife { answer = (clockError(), moment) }
    return answer?.error.map { excess > $0 } ?? false
  }
}
