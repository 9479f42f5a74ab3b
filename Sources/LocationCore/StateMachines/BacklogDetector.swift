/// Detects fixes that were delayed on their way, and jumps of the receiver's clock.
///
/// The delay of a fix is the difference between its arrival by the local clock and its time by
/// the receiver's. A fix whose delay exceeds the shortest one by more than the limit was delayed:
/// in gpsd, in the network, or because this process was suspended. Only differences of delays
/// matter, so neither clock needs to be right. If both are the same clock, the age of a fix decides, and there are no
/// jumps.
struct BacklogDetector: Sendable {
  struct Judgement: Equatable {
    var isCurrent = true
    var jump: Duration?
  }

  /// After this many delayed fixes at the receiver's usual pace, the cause is not a backlog but the
  /// receiver's clock.
  private static let maximumEvenSteps = 3

  /// Whether the times of fixes are of the local clock.
  let sharesClock: Bool
  private var shortestDelay: Nanoseconds?
  private var last: (time: Timestamp, moment: Moment)?
  private var isBehind = false
  private var evenSteps = 0

  init(sharesClock: Bool = false) { self.sharesClock = sharesClock }

  mutating func judge(
    _ time: Timestamp?, at moment: Moment, limit: Nanoseconds
  ) -> Judgement {
    guard let time else { return Judgement() }
    if sharesClock, let now = moment.wall {
      return Judgement(isCurrent: time.nanoseconds(to: now) <= limit)
    }
    defer { last = (time, moment) }
    let delay = Nanoseconds(moment.uptimeNanoseconds) - Nanoseconds(time.nanosecondsSince1970)
    guard let shortestDelay, let last else {
      shortestDelay = delay
      return Judgement()
    }
    let excess = delay - shortestDelay
    let waited = last.moment.nanoseconds(to: moment)
    let passed = last.time.nanoseconds(to: time)
    if excess + limit < .zero { return jump(by: .zero - excess, delay: delay) }
    if excess <= limit {
      isBehind = false
      // Slowly follows the drift between the two clocks.
      self.shortestDelay = excess < .zero ? delay : shortestDelay + excess / 64
      return Judgement()
    }
    if !isBehind {
      if passed < .zero || passed >= waited { return jump(by: .zero - excess, delay: delay) }
      isBehind = true
      evenSteps = 0
      return Judgement(isCurrent: false)
    }
    evenSteps = passed > .zero && waited * 2 >= passed ? evenSteps + 1 : 0
    guard evenSteps >= Self.maximumEvenSteps else { return Judgement(isCurrent: false) }
    isBehind = false
    self.shortestDelay = delay
    return Judgement()
  }

  private mutating func jump(by distance: Nanoseconds, delay: Nanoseconds) -> Judgement {
    isBehind = false
    shortestDelay = delay
    return Judgement(jump: distance.duration)
  }
}
