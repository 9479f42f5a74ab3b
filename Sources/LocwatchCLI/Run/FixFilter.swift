import LocationCore

/// Which fixes count, and which of those are written.
struct FixFilter {
  private let weakest: FixMode
  private let accuracy: Double?
  private let minMove: Double?
  private let interval: Duration?
  private var last: [String: (coordinate: Coordinate, moment: Moment)] = [:]

  init(_ options: Options) {
    weakest = options.weakestFix
    accuracy = options.accuracy
    minMove = options.minMove
    interval = options.interval
  }

  /// Whether the fix is good enough.
  func counts(_ fix: LocationFix) -> Bool { fix.isAtLeast(weakest, within: accuracy) }

  /// Whether the fix is to be written: far enough, in place and time, from the receiver's last one.
  mutating func takes(_ fix: LocationFix, at moment: Moment) -> Bool {
    guard minMove != nil || interval != nil else { return true }
    if let last = last[fix.device] {
      if let interval, last.moment.duration(to: moment) < interval { return false }
      if let minMove, last.coordinate.distance(to: fix.coordinate) <= minMove { return false }
    }
    last[fix.device] = (fix.coordinate, moment)
    return true
  }
}
