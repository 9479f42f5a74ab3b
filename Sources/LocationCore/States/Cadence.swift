/// How often a receiver reports, and how long its fix is current therefore.
struct Cadence: Sendable {
  private static let shortestLimit = Nanoseconds.seconds(5)
  /// No receiver is faster; what looks so is two epochs that came together.
  private static let shortestStep = Nanoseconds.milliseconds(40)
  /// What is longer is an outage.
  private static let longestStep = Nanoseconds.seconds(600)

  private let fixedLimit: Nanoseconds?
  private var steps = ShortestStep()
  private var last: (time: Timestamp, moment: Moment)?

  /// - Parameter limit: After how long a fix is no longer current, where that is fixed.
  init(limit: Nanoseconds?) { fixedLimit = limit }

  /// The shortest of the last steps from epoch to epoch.
  private(set) var interval = Nanoseconds.seconds(1)

  /// The silence after which a fix is no longer current: the larger of 5 s and three intervals.
  var limit: Nanoseconds { fixedLimit ?? max(Self.shortestLimit, interval * 3) }

  /// How long a receiver may repeat one time before it counts as stuck.
  var stuckLimit: Nanoseconds { max(.seconds(1), interval * 3) }

  mutating func announce(_ cycle: Nanoseconds?) {
    if let cycle, cycle > .zero, steps.isEmpty { interval = cycle }
  }

  /// Notes that an epoch began.
  mutating func step(to time: Timestamp?, at moment: Moment) {
    guard let time else { return }
    defer { last = (time, moment) }
    guard let last else { return }
    let waited = last.moment.nanoseconds(to: moment)
    // A clock that is set on by years is no slow receiver; in a backlog time runs fast as well.
    let step =
      last.time < time ? min(last.time.nanoseconds(to: time), max(waited, interval * 4)) : waited
    interval = steps.take(min(max(step, Self.shortestStep), Self.longestStep))
  }

  /// Forgets where the last epoch was; how often they come stays known.
  mutating func pause() { last = nil }
}
