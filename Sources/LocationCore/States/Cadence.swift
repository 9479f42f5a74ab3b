/// How often a receiver reports, and how long its fix is current therefore.
struct Cadence: Sendable {
  private static let shortestLimit = Duration.seconds(5)

  private let fixedLimit: Duration?
  private var announced = Duration.seconds(1)
  private var steps = InlineArray<4, Duration>(repeating: .zero)
  private var count = 0
  private var last: (time: Timestamp?, moment: Moment)?

  /// - Parameter limit: After how long a fix is no longer current, where that is fixed.
  init(limit: Duration?) { fixedLimit = limit }

  /// The smallest of the last four steps from epoch to epoch: a report that got lost does not
  /// stretch it.
  var interval: Duration {
    guard count > 0 else { return announced }
    return (0..<min(count, steps.count)).lazy.map { steps[$0] }.min() ?? announced
  }

  /// The silence after which a fix is no longer current: the larger of 5 s and three intervals.
  var limit: Duration { fixedLimit ?? max(Self.shortestLimit, interval * 3) }

  /// How long a receiver may repeat one time before it counts as stuck.
  var stuckLimit: Duration { max(.seconds(1), interval * 3) }

  mutating func announce(_ cycle: Duration?) {
    if let cycle, cycle > .zero { announced = cycle }
  }

  /// Notes that an epoch began.
  mutating func step(to time: Timestamp?, at moment: Moment) {
    defer { last = (time, moment) }
    guard let last else { return }
    var step = last.moment.duration(to: moment)
    if let time, let before = last.time, before < time { step = before.duration(to: time) }
    guard step > .zero else { return }
    steps[count & 3] = step
    count &+= 1
  }

  /// Forgets where the last epoch was; how often they come stays known.
  mutating func pause() { last = nil }
}
