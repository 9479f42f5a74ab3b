/// The time between a receiver's reports, and the limits that follow from it.
struct ReportInterval: Sendable {
  /// The interval of the fastest receivers; shorter steps are epochs that arrived together.
  private static let minimumStep = Nanoseconds.milliseconds(40)
  /// Several reports without a time may be of one epoch, whose parts are nearer to each other.
  private static let minimumTimelessStep = Nanoseconds.milliseconds(900)

  private let fixedLimit: Nanoseconds?
  private var pace = ReportPace()
  /// What the receiver announced, or else 1 s, until its reports show more.
  private var announced = Nanoseconds.seconds(1)
  private var last: (time: Timestamp?, moment: Moment)?

  /// - Parameter limit: The silence after which a fix is no longer current; `nil` derives it from
  ///   the interval.
  init(limit: Nanoseconds?) { fixedLimit = limit }

  /// The time from epoch to epoch.
  var interval: Nanoseconds { pace.interval ?? announced }

  /// The delay up to which a report is current. By default, 5 s or three intervals, whichever is longer.
  var limit: Nanoseconds {
    if let fixedLimit { return fixedLimit }
    let least = ReportPace.minimumSilence
    return pace.interval == nil ? max(least, announced * 3) : pace.silence(atLeast: least)
  }

  /// The silence after which a fix is no longer current: ``limit``. By default it is at least 65 s while
  /// the interval is unknown, because the receiver may send a report a minute.
  var silenceLimit: Nanoseconds { fixedLimit ?? pace.silence(atLeast: limit) }

  /// The silence after which a receiver without a fix is silent: ``silenceLimit``, and at least 5 s and three
  /// intervals, since no fix has to be current.
  var quietLimit: Nanoseconds { max(silenceLimit, ReportPace.minimumSilence, interval * 3) }

  /// How long a receiver may repeat the same time before it counts as stuck.
  var stuckLimit: Nanoseconds { max(.seconds(1), interval * 3) }

  /// Forgets the reports, because those of another source follow.
  mutating func startOver() { self = ReportInterval(limit: fixedLimit) }

  mutating func announce(_ cycle: Nanoseconds?) {
    if let cycle, cycle > .zero { announced = cycle }
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
    pace.add(max(step, Self.minimumStep))
  }

  /// Forgets the last epoch, but not the interval.
  mutating func pause() { last = nil }
}
