/// Decides which fixes count, and which of those are too near to the last one that was taken.
package struct FixFilter: Sendable {
  /// The decision on a fix.
  package enum Verdict: Sendable {
    /// It does not count.
    case tooWeak
    /// It counts, but is too near to the last one taken, in place or in time.
    case leftOut
    /// It counts and is far enough from the last one taken.
    case wanted
  }

  /// The last fixes of a receiver.
  private struct Receiver: Sendable {
    var pace = FixPace()
    var taken: (coordinate: Coordinate, instant: FixInstant)?
    /// The direction of the last fix taken, or of the first later one that has a direction.
    var direction: Double?
  }

  private let request: LocationRequest
  private let minMove: Double?
  private let interval: FixInterval?
  private let turn: Double?
  private var receivers = ReceiverTable<Receiver>()

  package init(_ criteria: FixCriteria) {
    request = criteria.request
    minMove = criteria.minMove
    interval = criteria.interval.map {
      FixInterval(shortest: Nanoseconds($0), atRest: Nanoseconds(criteria.intervalAtRest ?? $0))
    }
    turn = criteria.turn
  }

  /// Whether fixes are compared with the last one taken.
  private var thinsOut: Bool { minMove != nil || interval != nil }

  /// Returns the decision on a fix. Call it for every fix, because it measures the time between
  /// fixes.
  package mutating func judge(_ fix: LocationFix, at moment: Moment) -> Verdict {
    let isGoodEnough = fix.satisfies(request)
    guard thinsOut else { return isGoodEnough ? .wanted : .tooWeak }
    let instant = FixInstant(time: fix.time, moment: moment)
    var receiver = receivers[fix.device] ?? Receiver()
    receiver.pace.record(instant)
    if isGoodEnough, receiver.direction == nil { receiver.direction = fix.direction }
    receivers[fix.device] = receiver
    guard isGoodEnough else { return .tooWeak }
    guard let taken = receiver.taken else { return .wanted }
    if let minMove, taken.coordinate.distance(to: fix.coordinate) <= minMove { return .leftOut }
    guard let interval = interval?.value(at: fix.speed) else { return .wanted }
    if let turn, let before = receiver.direction, let direction = fix.direction,
      abs((direction - before).remainder(dividingBy: 360)) >= turn
    {
      return .wanted
    }
    let elapsed = taken.instant.elapsed(to: instant)
    // If the clock was set back, no fix would be due until it has caught up.
    let isDue = elapsed < .zero || elapsed >= interval
    // Fixes come in steps, and neither clock is exact: the fix nearest to the due time is taken.
    let slack = receiver.pace.interval / 2
    return isDue || elapsed > interval - slack ? .wanted : .leftOut
  }

  /// Records that a fix was taken. Later fixes are compared with it.
  package mutating func recordTaken(_ fix: LocationFix, at moment: Moment) {
    guard thinsOut else { return }
    let instant = FixInstant(time: fix.time, moment: moment)
    var receiver = receivers[fix.device] ?? Receiver()
    receiver.taken = (fix.coordinate, instant)
    receiver.direction = fix.direction
    receivers[fix.device] = receiver
  }
}

/// The time between two fixes that are taken, which depends on the speed.
private struct FixInterval: Sendable {
  let shortest: Nanoseconds
  let atRest: Nanoseconds

  /// The speed from which on the shortest is right, in m/s: 100 km/h.
  private static let highSpeed = 100 / 3.6

  /// Returns the time in which a receiver covers the distance that it covers at the high speed in the shortest
  /// time, which is the rule of SmartBeaconing for trackers by T. Arnerich and S. Bragg. Without a speed it is the
  /// shortest.
  func value(at speed: Double?) -> Nanoseconds {
    guard let speed, shortest < atRest else { return shortest }
    return min(max(shortest, shortest.divided(by: speed / Self.highSpeed)), atRest)
  }
}

extension LocationFix {
  /// The direction of movement, in degrees; `nil` below 0.5 m/s, where what a receiver reports is noise.
  fileprivate var direction: Double? {
    guard let speed, speed >= 0.5 else { return nil }
    return track
  }
}

/// When a fix was: by the receiver's clock, which is free of transport delays, else by this
/// machine's.
private struct FixInstant: Sendable {
  var time: Timestamp?
  var moment: Moment

  /// The time from this instant to `other`; negative if the receiver's clock was set back.
  func elapsed(to other: FixInstant) -> Nanoseconds {
    if let time, let later = other.time { return time.nanoseconds(to: later) }
    return moment.nanoseconds(to: other.moment)
  }
}

/// The time between a receiver's fixes.
private struct FixPace: Sendable {
  private var steps = ShortestStep()
  private var last: FixInstant?

  /// The shortest of the last steps between two fixes. Zero until there are two fixes.
  private(set) var interval = Nanoseconds.zero

  mutating func record(_ instant: FixInstant) {
    defer { last = instant }
    guard let step = last?.elapsed(to: instant), step > .zero else { return }
    interval = steps.add(step)
  }
}
