import LocationCore

/// When a fix was: by the receiver's clock, which knows no delay on the way, else by ours.
struct FixInstant {
  var time: Timestamp?
  var moment: Moment

  /// How much later `other` is; negative where the receiver's clock was set back.
  func elapsed(to other: FixInstant) -> Nanoseconds {
    if let time, let later = other.time { return time.nanoseconds(to: later) }
    return moment.nanoseconds(to: other.moment)
  }
}

/// How far apart a receiver's fixes are.
struct FixPace {
  private var steps = InlineArray<4, Nanoseconds>(repeating: .zero)
  private var count = 0
  private var last: FixInstant?

  /// The smallest of the last four steps from fix to fix: one that is missing, and an outage, do not
  /// stretch it. Zero until there are two fixes.
  private(set) var interval = Nanoseconds.zero

  mutating func note(_ instant: FixInstant) {
    defer { last = instant }
    guard let step = last?.elapsed(to: instant), step > .zero else { return }
    steps[count & 3] = step
    count &+= 1
    interval = (1..<max(1, min(count, steps.count))).reduce(steps[0]) { min($0, steps[$1]) }
  }
}
