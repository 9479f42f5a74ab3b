import LocationCore
import LocationReports

/// Whether the rows of a trip follow each other, the fixes of a stop lie within a stop, and a leg leaves its place.
enum StopCheck {
  /// How far a receiver is from a place that it has left, in deviations. Until independent errors are observed for some
  /// minutes, they count as slow ones, whose second difference over a second is the same: √(12 · 4 · 90 · 6 / 4) = 80.5.
  private static let mistaken = 81.0
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
    /// Where the last row ended.
    var last: Leg.End?
    for event in events {
      let (start, end): (Leg.End, Leg.End)
      switch event {
      case .legBegan, .stopBegan: continue
      case .gapEnded(let gap): (start, end) = (gap.start, gap.end)
      case .legEnded(let leg):
        (start, end) = (leg.start, leg.end)
        if let complaint = complaint(about: leg, of: fixes, criteria) { return complaint }
      case .stopEnded(let stop):
        (start, end) = (stop.start, stop.end)
        if let complaint = complaint(about: stop, of: fixes, farthest, criteria) {
          return complaint
        }
      }
      if let last, last.moment != start.moment {
        return "a row from \(start.moment) after one that ended at \(last.moment)"
      }
      last = end
    }
    return nil
  }

  private static func complaint(
    about leg: Leg, of fixes: [(fix: LocationFix, moment: Moment)], _ criteria: StopCriteria
  ) -> String? {
    if let mean = leg.meanSpeed, let top = leg.topSpeed, mean > top {
      return "a leg with the mean speed \(mean) and the top speed \(top)"
    }
    let isAway = fixes.contains { fix, moment in
      moment >= leg.start.moment && moment <= leg.end.moment
        && fix.coordinate.distance(to: leg.start.coordinate) > criteria.radius
    }
    return isAway || leg.distance >= 2 * criteria.reach
      ? nil : "a leg of \(leg.distance) m that stays at its place, at \(leg.start.moment)"
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
