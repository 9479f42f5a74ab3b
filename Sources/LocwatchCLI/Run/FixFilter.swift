import LocationCore

/// Decides which fixes count, and which of those are written.
struct FixFilter {
  /// The decision on a fix.
  enum Verdict {
    /// It does not count.
    case tooWeak
    /// It counts, but is too near to the last one written, in place or in time.
    case leftOut
    /// It counts and is written.
    case wanted
  }

  /// The last fixes of a receiver.
  private struct Receiver {
    var pace = FixPace()
    var written: (coordinate: Coordinate, instant: FixInstant)?
  }

  private let request: LocationRequest
  private let minMove: Double?
  private let interval: Nanoseconds?
  private var receivers = ReceiverTable<Receiver>()

  init(_ options: Options) {
    request = LocationRequest(
      minimumMode: options.weakestFix, minimumQuality: options.weakestQuality,
      desiredAccuracy: options.accuracy)
    minMove = options.minMove
    interval = options.interval.map(Nanoseconds.init)
  }

  /// Returns the decision on a fix. Call it for every fix, because it measures the time between
  /// fixes.
  mutating func judge(_ fix: LocationFix, at moment: Moment) -> Verdict {
    let isGoodEnough = fix.satisfies(request)
    guard minMove != nil || interval != nil else { return isGoodEnough ? .wanted : .tooWeak }
    let instant = FixInstant(time: fix.time, moment: moment)
    var receiver = receivers[fix.device] ?? Receiver()
    receiver.pace.note(instant)
    receivers[fix.device] = receiver
    guard isGoodEnough else { return .tooWeak }
    guard let written = receiver.written else { return .wanted }
    if let minMove, written.coordinate.distance(to: fix.coordinate) <= minMove { return .leftOut }
    guard let interval else { return .wanted }
    let elapsed = written.instant.elapsed(to: instant)
    // If the clock was set back, no fix would be due until it has caught up.
    let isDue = elapsed < .zero || elapsed >= interval
    // Fixes come in steps, and neither clock is exact: the fix nearest to the due time is written.
    let slack = receiver.pace.interval / 2
    return isDue || elapsed > interval - slack ? .wanted : .leftOut
  }

  /// Notes that a fix was written. Later fixes are compared with it.
  mutating func noteWritten(_ fix: LocationFix, at moment: Moment) {
    guard minMove != nil || interval != nil else { return }
    let instant = FixInstant(time: fix.time, moment: moment)
    var receiver = receivers[fix.device] ?? Receiver()
    receiver.written = (fix.coordinate, instant)
    receivers[fix.device] = receiver
  }
}

/// When a fix was: by the receiver's clock, which is free of transport delays, else by this
/// machine's.
struct FixInstant {
  var time: Timestamp?
  var moment: Moment

  /// The time from this instant to `other`; negative if the receiver's clock was set back.
  func elapsed(to other: FixInstant) -> Nanoseconds {
    if let time, let later = other.time { return time.nanoseconds(to: later) }
    return moment.nanoseconds(to: other.moment)
  }
}

/// The time between a receiver's fixes.
struct FixPace {
  private var steps = ShortestStep()
  private var last: FixInstant?

  /// The shortest of the last steps between two fixes. Zero until there are two fixes.
  private(set) var interval = Nanoseconds.zero

  mutating func note(_ instant: FixInstant) {
    defer { last = instant }
    guard let step = last?.elapsed(to: instant), step > .zero else { return }
    interval = steps.take(step)
  }
}
