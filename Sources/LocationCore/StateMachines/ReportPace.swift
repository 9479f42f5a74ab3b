/// How often a receiver reports, and therefore how long a silence has to last until it means something.
///
/// This is the only place that decides it: for states, regions, legs, segments and figures. A silence means something
/// after three intervals, because a report or two can be lost, and never before the time that its consequence needs.
///
/// The interval is the shortest of the last four steps between reports, which a lost report or an outage does not
/// lengthen. A longer step may be an outage, but two in a row that are alike are the new interval. A receiver that
/// slows down is therefore silent twice, not four times, and one of which reports arrive hourly is known after two
/// hours. Pauses that return are remembered for a while, for receivers that save power.
package struct ReportPace: Sendable {
  /// A silence that is shorter than this never means anything: reports are delayed on their way.
  package static let minimumSilence = Nanoseconds.seconds(5)
  /// How long to wait for the second report, which shows the interval: a minute and some delay. It also limits what
  /// a pause of the past explains, because the receiver reports faster now.
  private static let firstSilence = Nanoseconds.seconds(65)
  /// A single longer step is an outage: few receivers report so rarely. It is also how long a pause is remembered.
  private static let longestStep = Nanoseconds.seconds(600)
  /// How many pauses have to be alike if there are faster reports between them: two can be by chance.
  private static let pauses = 3

  /// The last steps that count; the maximum for those that were not taken yet.
  private var steps = SIMD4<Int64>(repeating: .max)
  private var count = 0
  /// The last step that may have been an outage, how many before it in a row were alike, and whether it was the last
  /// step of all.
  private var (pause, likePauses, isPausing) = (Nanoseconds.zero, 0, false)
  /// A pause that returns, and the time since; zero if there is none.
  private var (habit, sinceHabit) = (Nanoseconds.zero, Nanoseconds.zero)
  /// Three intervals, or more after pauses.
  private var limit = Self.firstSilence

  package init() {}

  /// The usual time between reports; `nil` until there were two.
  package private(set) var interval: Nanoseconds?

  /// Returns how long a silence has to last until it means something: `least`, or three intervals if they are longer,
  /// or 65 s while the interval is unknown.
  package func silence(atLeast least: Nanoseconds) -> Nanoseconds { max(least, limit) }

  /// Adds the time from one report to the next.
  package mutating func add(_ step: Nanoseconds) {
    // Most receivers keep their interval, so that nothing else changes.
    if step == interval, step <= Self.minimumSilence, habit == .zero {
      isPausing = false
      return take(step)
    }
    let usual = interval.map { max(Self.minimumSilence, $0 * 3) } ?? Self.longestStep
    let isPause = step > min(usual, Self.longestStep)
    if isPause {
      addPause(step)
    } else {
      take(step)
    }
    isPausing = isPause
    if habit > .zero { remember(step) }
    let interval = Nanoseconds(steps.min())
    self.interval = interval
    limit = max(interval * 3, min(habit * 3 / 2, Self.firstSilence))
  }

  private mutating func take(_ step: Nanoseconds) {
    steps[count & 3] = step.count
    count &+= 1
  }

  private mutating func addPause(_ step: Nanoseconds) {
    let isAlike = step <= pause * 3 / 2 && pause <= step * 3 / 2
    likePauses = isAlike ? min(likePauses + 1, Self.pauses) : 1
    if isAlike, isPausing {
      steps = SIMD4(repeating: min(step, pause).count)
    } else {
      take(min(step, max(Self.longestStep, interval ?? .zero)))
    }
    if isAlike, isPausing || likePauses == Self.pauses, step <= Self.firstSilence {
      (habit, sinceHabit) = (step, .zero)
    }
    pause = step
  }

  /// Remembers the pause that returns until it has not returned for a while.
  private mutating func remember(_ step: Nanoseconds) {
    sinceHabit = sinceHabit + step
    if sinceHabit > Self.longestStep + habit { habit = .zero }
  }
}
