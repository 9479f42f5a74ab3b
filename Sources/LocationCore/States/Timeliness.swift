/// Tells a fix that comes late from one that comes now.
///
/// Compares how far apart fixes are by the receiver's clock with how far apart they came. The
/// shortest delay seen is the measure: a fix that took longer by more than the limit was held up on
/// the way, be it in gpsd, in the network or because this process stood still. Only differences
/// count, so neither clock needs to be right.
struct Timeliness: Sendable {
  struct Judgement: Equatable {
    var isCurrent = true
    var jump: Duration?
  }

  /// So many fixes at the receiver's own pace, and what looked like a backlog is a slow clock.
  private static let patience = 3

  private var shortestDelay: Nanoseconds?
  private var last: (time: Timestamp, moment: Moment)?
  private var isBehind = false
  private var evenSteps = 0

  mutating func judge(
    _ time: Timestamp?, at moment: Moment, limit: Nanoseconds
  ) -> Judgement {
    guard let time else { return Judgement() }
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
      // Follows the drift between the two clocks, slowly.
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
    guard evenSteps >= Self.patience else { return Judgement(isCurrent: false) }
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
