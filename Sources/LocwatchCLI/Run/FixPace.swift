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
  private var steps = ShortestStep()
  private var last: FixInstant?

  /// The shortest of the last steps from fix to fix. Zero until there are two fixes.
  private(set) var interval = Nanoseconds.zero

  mutating func note(_ instant: FixInstant) {
    defer { last = instant }
    guard let step = last?.elapsed(to: instant), step > .zero else { return }
    interval = steps.take(step)
  }
}
