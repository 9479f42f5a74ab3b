/// Decides which fixes count, and which of these are too close to the last one that was taken.
package struct FixFilter: Sendable {
  /// The decision on a fix.
  package enum Verdict: Sendable {
    /// It does not count.
    case tooWeak
    /// It counts, but is too close to the last one taken, in distance or in time.
    case leftOut
    /// It counts and is far enough from the last one taken.
    case wanted
  }

  /// The last fixes of a receiver.
  private struct Receiver: Sendable {
    var pace = FixPace()
    var taken: (coordinate: Coordinate, instant: FixInstant)?
  }

  private let request: LocationRequest
  private let minMove: Double?
  private let interval: Nanoseconds?
  private var receivers = ReceiverTable<Receiver>()

  package init(_ criteria: FixCriteria) {
    request = criteria.request
    minMove = criteria.minMove
    interval = criteria.interval.map { Nanoseconds($0) }
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
    receivers[fix.device] = receiver
    guard isGoodEnough else { return .tooWeak }
    guard let taken = receiver.taken else { return .wanted }
    if let minMove, taken.coordinate.distance(to: fix.coordinate) <= minMove { return .leftOut }
    guard let interval else { return .wanted }
    let elapsed = taken.instant.elapsed(to: instant)
    // If the clock was set back, no fix would be due until it has caught up.
    let isDue = elapsed < .zero || elapsed >= interval
    // Fixes arrive at intervals, and neither clock is exact, so the fix closest to the due time is taken.
    let slack = receiver.pace.interval / 2
    return isDue || elapsed > interval - slack ? .wanted : .leftOut
  }

  /// Records that a fix was taken. Later fixes are compared with it.
  package mutating func recordTaken(_ fix: LocationFix, at moment: Moment) {
    guard thinsOut else { return }
    let instant = FixInstant(time: fix.time, moment: moment)
    var receiver = receivers[fix.device] ?? Receiver()
    receiver.taken = (fix.coordinate, instant)
    receivers[fix.device] = receiver
  }
}

/// The time of a fix: by the receiver's clock, which is free of transport delays, or else by the local
/// clock.
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
  private var pace = ReportPace()
  private var last: FixInstant?

  /// The interval between two fixes; zero until there are two fixes.
  var interval: Nanoseconds { pace.interval ?? .zero }

  mutating func record(_ instant: FixInstant) {
    defer { last = instant }
    guard let step = last?.elapsed(to: instant), step > .zero else { return }
    pace.add(step)
  }
}

/// Which fixes of a receiver count, and how far apart the taken ones are.
package struct FixCriteria: Hashable, Sendable {
  /// The request that a fix must meet to count. Its distance filter is not used.
  package var request = LocationRequest()
  /// Fixes within this distance of the last one taken are left out, in metres; `nil` for none.
  package var minMove: Double?
  /// The shortest time between two fixes taken; `nil` for any.
  package var interval: Duration?

  /// Creates criteria that every fix meets.
  package init() {}
}

/// Decides which fixes are passed on, by mode, quality, accuracy and distance.
struct UpdateFilter: Sendable {
  /// The request that fixes must meet.
  var request: LocationRequest

  /// The position of each receiver's last admitted fix.
  private var places = ReceiverTable<Coordinate>()

  init(_ request: LocationRequest = LocationRequest()) { self.request = request }

  /// Returns whether the fix passes, and remembers its position if it does. With a desired
  /// accuracy, a fix whose accuracy is unknown does not pass.
  mutating func admits(_ fix: LocationFix) -> Bool {
    guard fix.satisfies(request) else { return false }
    guard let distanceFilter = request.distanceFilter else { return true }
    if let place = places[fix.device], place.distance(to: fix.coordinate) < distanceFilter {
      return false
    }
    places[fix.device] = fix.coordinate
    return true
  }

  /// Forgets the position of a receiver that lost its fix: the next fix passes, even at the same
  /// place.
  mutating func record(_ change: StateChange) {
    guard !change.state.hasFix else { return }
    if case .receiver(let device) = change.subject {
      places[device] = nil
    } else {
      reset()
    }
  }

  /// Forgets all positions.
  mutating func reset() { places.removeAll() }
}
