/// The time between a receiver's reports, and the limits that follow from it.
struct ReportInterval: Sendable {
  private static let minimumLimit = Nanoseconds.seconds(5)
  /// How long to wait for the second report, which shows the interval: a minute and some delay.
  private static let firstLimit = Nanoseconds.seconds(65)
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

  /// The delay up to which a report is current. By default, 5 s or three intervals, whichever is longer.
  var limit: Nanoseconds { fixedLimit ?? max(Self.minimumLimit, interval * 3) }

  /// The silence after which a fix is no longer current: ``limit``. By default it is at least 65 s while
  /// the interval is unknown, because the receiver may send a report a minute.
  var silenceLimit: Nanoseconds {
    steps.isEmpty ? fixedLimit ?? max(limit, Self.firstLimit) : limit
  }

  /// The silence after which a receiver without a fix is silent: ``silenceLimit``, and at least 5 s and three
  /// intervals, since no fix has to be current.
  var quietLimit: Nanoseconds { max(silenceLimit, Self.minimumLimit, interval * 3) }

  /// How long a receiver may repeat the same time before it counts as stuck.
  var stuckLimit: Nanoseconds { max(.seconds(1), interval * 3) }

  mutating func announce(_ cycle: Nanoseconds?) {
    if let cycle, cycle > .zero, steps.isEmpty { interval = cycle }
  }

  /// Records that an epoch began.
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
    interval = steps.add(min(max(step, Self.minimumStep), Self.maximumStep))
  }

  /// Forgets the last epoch, but not the interval.
  mutating func pause() { last = nil }
}

/// The shortest of the last four steps between reports, which a lost report or an outage does not
/// lengthen.
package struct ShortestStep: Sendable {
  private var steps = SIMD4<Int64>(repeating: .max)
  private var count = 0

  package init() {}

  /// Whether no step was taken yet.
  package var isEmpty: Bool { count == 0 }

  /// Adds the next step, and returns the shortest.
  package mutating func add(_ step: Nanoseconds) -> Nanoseconds {
    steps[count & 3] = step.count
    count &+= 1
    return Nanoseconds(steps.min())
  }
}
