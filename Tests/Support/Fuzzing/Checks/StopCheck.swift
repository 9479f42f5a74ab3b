import LocationCore
import LocationReports

/// Whether the fixes of a stop lie within a stop, and whether legs and gaps lead from one stop to the next.
enum StopCheck {
  /// How far a receiver is from a place that it has left, in deviations: six times the deviation that is assumed. Until
  /// independent errors are observed for some minutes, they count as correlated ones, whose second difference over 4 s
  /// is the same: √(6 / 0.1777) = 5.81 times as large.
  private static let mistaken = 35.0
  /// The error of a position beside the middle of a stop, in deviations.
  private static let fix = 8.0
  /// The monitor's distances are exact to this, in metres.
  private static let rounding = 0.1

  /// - Parameters:
  ///   - events: The events of a trip, to its end.
  ///   - noise: The deviation of the positions along each axis, in metres.
  static func complaint(
    about events: [TripEvent], of fixes: [(fix: LocationFix, moment: Moment)], noise: Double,
    _ criteria: StopCriteria = StopCriteria()
  ) -> String? {
    let farthest = max(1.5 * criteria.radius, mistaken * noise) + fix * noise + rounding
    /// Where the last stop was, and whether a leg or a gap followed.
    var last: (place: Coordinate, isLeft: Bool)?
    for event in events {
      switch event {
      case .stopEnded(let stop):
        if let complaint = complaint(about: stop, of: fixes, farthest, criteria) {
          return complaint
        }
        if let last, !last.isLeft {
          let way = last.place.distance(to: stop.coordinate)
          if way > farthest { return "two stops, \(way) m apart, without a way in between" }
        }
        last = (stop.coordinate, false)
      case .legEnded, .gapEnded: last?.isLeft = true
      case .legBegan, .stopBegan: break
      }
    }
    return nil
  }

  private static func complaint(
    about stop: Stop, of fixes: [(fix: LocationFix, moment: Moment)], _ farthest: Double,
    _ criteria: StopCriteria
  ) -> String? {
    guard stop.duration >= criteria.duration - .milliseconds(20) else {
      return "a stop of \(stop.duration)"
    }
    /// Since when its fixes are elsewhere.
    var since: Moment?
    for (fix, moment) in fixes where moment >= stop.start.moment && moment <= stop.end.moment {
      guard fix.coordinate.distance(to: stop.coordinate) > farthest else {
        since = nil
        continue
      }
      // A receiver may be elsewhere for less than twice the duration of a stop.
      if let since, since.duration(to: moment) > criteria.duration * 2 {
        return "a stop at \(stop.start.moment), of which \(moment) is "
          + "\(fix.coordinate.distance(to: stop.coordinate)) m away"
      }
      since = since ?? moment
    }
    return since == nil ? nil : "a stop that ends elsewhere, at \(stop.end.moment)"
  }
}
