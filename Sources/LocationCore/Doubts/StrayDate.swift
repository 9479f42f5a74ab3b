/// Notices a date that the receiver's dates before it contradict, as if a wrong year stood among right ones.
///
/// The first dates of a receiver that starts are often wrong, so that they contradict nothing unless the local clock
/// confirms them. Later, another date is believed once three fixes more have reported it than the old one, or at once
/// if the local clock confirms it and not the old one.
struct StrayDate: Sendable {
  /// Dates agree to within this time. A receiver that sleeps is not late by as much.
  private static let tolerance = Nanoseconds.seconds(86_400)
  /// The same if nothing but the dates shows how much time has passed: a log may pause for months.
  private static let toleranceWithoutClock = Nanoseconds.seconds(365 * 86_400)
  /// How many fixes have to agree with another date: single dates are wrong when a report is garbled.
  private static let fixes = 3
  /// How many fixes can have the date with which a receiver starts: satellites send the week each 30 s.
  private static let firstFixes = 30

  /// What the receiver's clock showed when the uptime was zero, by the last date that is believed and by the last
  /// other one.
  private var (believed, other) = (nil as Nanoseconds?, nil as Nanoseconds?)
  /// How many fixes have confirmed the believed date, and how many more the other one.
  private var (support, rival) = (0, 0)
  /// By how much the last date is later than those before it, in seconds; `nil` if it agrees with them.
  private(set) var error: Double?

  /// Handles the time of a fix; `nil` if it has none.
  ///
  /// - Parameter received: When it arrived, by the local clock; `nil` if that is unknown.
  mutating func handle(_ time: Timestamp?, received: Timestamp?, at moment: Moment) {
    error = nil
    guard let time else { return }
    let origin = Nanoseconds(time.nanosecondsSince1970) - Nanoseconds(moment.uptimeNanoseconds)
    guard let believed else { return believe(origin) }
    let tolerance = received == nil ? Self.toleranceWithoutClock : Self.tolerance
    let late = origin - believed
    guard late.magnitude > tolerance else {
      self.believed = origin
      support = min(support + 1, Self.firstFixes)
      rival = max(0, rival - 1)
      return
    }
    let agrees = other.map { (origin - $0).magnitude <= tolerance } ?? false
    rival = agrees ? rival + 1 : 1
    other = origin
    let ahead = received.map { $0.nanoseconds(to: time) }
    let isConfirmed = ahead.map { $0.magnitude <= tolerance } ?? false
    let wasConfirmed = ahead.map { ($0 - late).magnitude <= tolerance } ?? false
    let isBetter = isConfirmed && !wasConfirmed
    let isFirst = support < Self.firstFixes && !wasConfirmed
    if isBetter || isFirst || rival >= Self.fixes {
      believe(origin)
    } else {
      error = late.inSeconds
    }
  }

  private mutating func believe(_ origin: Nanoseconds) {
    (believed, other) = (origin, nil)
    (support, rival) = (max(rival, 1), 0)
  }
}
