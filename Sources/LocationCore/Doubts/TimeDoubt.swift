/// Doubts the time of a receiver: the date is off by a multiple of 1,024 weeks or differs from those before it, or the
/// time differs from the local clock, if something other than the receiver keeps that clock right.
struct TimeDoubt: Sendable {
  /// A receiver's time that is ahead of a correct clock by more than this is wrong, in seconds: by a leap second.
  static let early = 0.9
  /// A later report has a wrong time, in seconds: a serial line and a network delay it for seconds, but not longer.
  static let late = 5.0
  /// The number of first fixes whose time cannot be trusted, according to gpsd.
  static let firstFixes = 3
  /// How many more fixes have to be wrong than right to begin the doubt, and the reverse to end it: one can be garbled.
  static let fixes = 3
  /// How long an answer about the error of the local clock is used, in seconds: NTP asks its servers as often.
  static let answerLife = 60.0

  /// Returns by how many seconds the local clock can be wrong; `nil` if nothing keeps it right.
  let clockError: @Sendable () -> Double?
  /// The last answer, and when it was given.
  private var answer: (error: Double?, moment: Moment)?
  private var count = 0
  /// The number of wrong times minus that of right ones, from 0 to ``fixes``.
  private var evidence = 0
  /// Whether the local clock contradicts the receiver.
  private(set) var isOff = false
  /// By how much the receiver's time is ahead, in seconds.
  private(set) var offset = 0.0
  private(set) var stray = StrayDate()
  /// Whether the local clock contradicts the time of the last fix.
  private(set) var isContradicted = false

  var isDoubted: Bool { isOff || stray.error != nil }

  init(clockError: @escaping @Sendable () -> Double?) { self.clockError = clockError }

  /// Handles a fix.
  mutating func handle(_ fix: borrowing LocationFix, at moment: Moment) {
    stray.handle(fix.time, received: fix.received, at: moment)
    isContradicted = false
    guard fix.isCurrent, let time = fix.time, let received = fix.received else { return }
    let ahead = received.nanoseconds(to: time).inSeconds
    isContradicted = fix.rollover != nil || isOff(ahead, at: moment)
    count = min(count + 1, Self.firstFixes + 1)
    guard count > Self.firstFixes else { return }
    if isContradicted { offset = ahead }
    evidence = max(0, min(evidence + (isContradicted ? 1 : -1), Self.fixes))
    if evidence == Self.fixes { isOff = true }
    if evidence == 0 { isOff = false }
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
