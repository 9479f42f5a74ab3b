/// Detects fixes that were delayed on their way, and jumps of the receiver's clock.
///
/// The delay of a fix is the difference between its arrival by this machine's clock and its time by
/// the receiver's. A fix whose delay exceeds the shortest one by more than the limit was delayed:
/// in gpsd, in the network, or because this process was suspended. Only differences of delays
/// matter, so neither clock needs to be right.
struct BacklogDetector: Sendable {
  struct Judgement: Equatable {
    var isCurrent = true
    var jump: Duration?
  }

  /// After this many delayed fixes at the receiver's usual pace, the cause is not a backlog but the
  /// receiver's clock.
  private static let maximumEvenSteps = 3

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

/// The time between a receiver's reports, and the limits that follow from it.
struct ReportInterval: Sendable {
  private static let minimumLimit = Nanoseconds.seconds(5)
  /// The interval of the fastest receivers; shorter steps are epochs that arrived together.
  private static let minimumStep = Nanoseconds.milliseconds(40)
  /// Several reports without a time may be of one epoch, whose parts are nearer to each other.
  private static let minimumTimelessStep = Nanoseconds.milliseconds(900)
  /// Longer steps are outages.
  private static let maximumStep = Nanoseconds.seconds(600)

  private let fixedLimit: Nanoseconds?
  private var steps = ShortestStep()
  private var last: (time: Timestamp?, moment: Moment)?

  /// - Parameter limit: The silence after which a fix is no longer current; `nil` derives it from
  ///   the interval.
  init(limit: Nanoseconds?) { fixedLimit = limit }

  /// The shortest of the last steps from epoch to epoch.
  private(set) var interval = Nanoseconds.seconds(1)

  /// The silence after which a fix is no longer current. By default, 5 s or three intervals,
  /// whichever is longer.
  var limit: Nanoseconds { fixedLimit ?? max(Self.minimumLimit, interval * 3) }

  /// How long a receiver may repeat the same time before it counts as stuck.
  var stuckLimit: Nanoseconds { max(.seconds(1), interval * 3) }

  mutating func announce(_ cycle: Nanoseconds?) {
    if let cycle, cycle > .zero, steps.isEmpty { interval = cycle }
  }

  /// Notes that an epoch began.
  mutating func step(to time: Timestamp?, at moment: Moment) {
    guard let last else {
      last = (time, moment)
      return
    }
    let waited = last.moment.nanoseconds(to: moment)
    var step = waited
    if let before = last.time, let time {
      // Limited by the time waited, because the receiver's clock may jump forward by years.
      if before < time { step = min(before.nanoseconds(to: time), max(waited, interval * 4)) }
    } else if waited < Self.minimumTimelessStep {
      if time != nil { self.last = (time, moment) }
      return
    }
    self.last = (time, moment)
    interval = steps.take(min(max(step, Self.minimumStep), Self.maximumStep))
  }

  /// Forgets the last epoch, but not the interval.
  mutating func pause() { last = nil }
}

/// The shortest of the last four steps between reports, which a lost report or an outage does not
/// lengthen.
package struct ShortestStep: Sendable {
  private var steps = InlineArray<4, Nanoseconds>(repeating: .zero)
  private var count = 0

  package init() {}

  /// Whether no step was taken yet.
  package var isEmpty: Bool { count == 0 }

  /// Takes the next step, and returns the shortest.
  package mutating func take(_ step: Nanoseconds) -> Nanoseconds {
    steps[count & 3] = step
    count &+= 1
    return (1..<max(1, min(count, steps.count))).reduce(steps[0]) { min($0, steps[$1]) }
  }
}

/// The times of the last 64 epochs that were written, so that none is written twice.
///
/// Some receivers alternate between two epochs, and a replayed log may go back. 64 epochs suffice
/// for every known recording; a clock that is set back further starts new epochs.
struct RecentTimes: Sendable {
  private var times = [Int64](repeating: .min, count: 64)
  private var next = 0
  private var latest = Int64.min

  mutating func insert(_ time: Timestamp) {
    times[next] = time.nanosecondsSince1970
    next = (next + 1) & 63
    latest = max(latest, time.nanosecondsSince1970)
  }

  func contains(_ time: Timestamp) -> Bool {
    let time = time.nanosecondsSince1970
    // A later time, the usual case, needs no search.
    guard time <= latest else { return false }
    for index in times.indices where times[index] == time { return true }
    return false
  }
}
