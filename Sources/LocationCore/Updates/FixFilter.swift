/// Decides which fixes count, and which of these are too close to the last one that was taken.
package struct FixFilter: Sendable {
  /// The decision on a fix.
  package enum Verdict: Sendable {
    /// It does not count.
    case tooWeak
    /// It counts, but is too close to the last one taken, or in the same interval.
    case leftOut
    /// It counts, and is the next one to take.
    case wanted
  }

  private let request: LocationRequest
  private let minMove: Double?
  /// The length of an interval, more than zero.
  private let length: Nanoseconds?
  /// The last fix taken of each receiver, with its interval if there are intervals.
  private var receivers = ReceiverTable<(coordinate: Coordinate, interval: FixInterval?)>()

  package init(_ criteria: FixCriteria) {
    request = criteria.request
    minMove = criteria.minMove
    let length = criteria.interval.map { Nanoseconds($0) }
    self.length = length == .zero ? nil : length
  }

  /// Returns the decision on a fix.
  package mutating func judge(_ fix: LocationFix, at moment: Moment) -> Verdict {
    guard fix.satisfies(request) else { return .tooWeak }
    guard let index = receivers.find(fix.device) else { return .wanted }
    let taken = receivers.values[index]
    if let minMove, taken.coordinate.distance(to: fix.coordinate) <= minMove { return .leftOut }
    let instant = FixInstant(time: fix.time, moment: moment)
    return taken.interval?.contains(instant) == true ? .leftOut : .wanted
  }

  /// Records that a fix was taken. Later fixes are compared with it.
  package mutating func recordTaken(_ fix: LocationFix, at moment: Moment) {
    guard minMove != nil || length != nil else { return }
    let instant = FixInstant(time: fix.time, moment: moment)
    // The first fix is at the end of the interval before it.
    var interval =
      receivers[fix.device]?.interval ?? length.map { FixInterval(length: $0, end: instant) }
    interval?.advance(to: instant)
    receivers[fix.device] = (fix.coordinate, interval)
  }
}

/// Which fixes of a receiver count, and which of these are taken.
package struct FixCriteria: Hashable, Sendable {
  /// The request that a fix must meet to count. Its distance filter is not used.
  package var request = LocationRequest()
  /// Fixes within this distance of the last one taken are left out, in metres; `nil` for none.
  package var minMove: Double?
  /// The length of the intervals of which each has at most one fix, the first that meets the other criteria; `nil` or
  /// zero for no intervals. They follow one another from a receiver's first fix taken on, by the times of the fixes, or
  /// by their arrival if they have none.
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
