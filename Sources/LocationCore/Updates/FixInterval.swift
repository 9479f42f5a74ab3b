/// The interval in which a receiver's last fix was taken.
///
/// Time is divided into intervals of one length from the first fix taken on, by the times of the fixes, or by their
/// arrival if they have none. Nothing moves the intervals: after an outage, or a step of the receiver's clock in
/// either direction, a fix is in another one.
struct FixInterval: Sendable {
  /// The length of all intervals, more than zero.
  let length: Nanoseconds
  /// When the interval ends, and the next one begins.
  var end: FixInstant

  /// Returns whether a fix is in this interval.
  func contains(_ instant: FixInstant) -> Bool {
    let elapsed = end.elapsed(to: instant)
    return elapsed < .zero && elapsed >= .zero - length
  }

  /// Becomes the interval that contains a fix.
  mutating func advance(to instant: FixInstant) {
    let elapsed = end.elapsed(to: instant)
    let rest = elapsed.count % length.count
    let remaining = Nanoseconds(rest < 0 ? -rest : length.count - rest)
    // An end by arrival follows each fix, because fixes are delayed on their way. An end by the receiver's clock is
    // exact, and also outlasts fixes without a time.
    end = FixInstant(
      time: instant.time?.later(by: remaining) ?? end.time?.later(by: elapsed + remaining),
      moment: instant.moment.later(by: remaining))
  }
}

/// The time of a fix by the receiver's clock, if it has one, and the moment of its arrival.
struct FixInstant: Sendable {
  var time: Timestamp?
  var moment: Moment

  /// The time from this instant to `other`, by the receiver's clock, which is free of transport delays, or else by
  /// arrival; negative if that clock was set back.
  func elapsed(to other: FixInstant) -> Nanoseconds {
    if let time, let later = other.time { return time.nanoseconds(to: later) }
    return moment.nanoseconds(to: other.moment)
  }
}
