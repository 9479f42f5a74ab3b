import LocationCore
import LocationReports

/// Whether the fixes of a stop lie within a stop, and whether legs and gaps lead from one stop to the next.
enum StopCheck {
  /// - Parameters:
  ///   - events: The events of a trip, to its end.
  ///   - noise: The deviation of the positions along each axis, in metres.
  static func complaint(
    about events: [TripEvent], of fixes: [(fix: LocationFix, moment: Moment)], noise: Double,
    _ criteria: StopCriteria = StopCriteria()
  ) -> String? {
    // A place is left beyond one and a half times the radius from its middle, or beyond its noise. Without a speed,
    // movements can look like noise of up to 36.7 m.
    let farthest = max(1.5 * criteria.radius + 8 * noise, 6 * 36.8)
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
