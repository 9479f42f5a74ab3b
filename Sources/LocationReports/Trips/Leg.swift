package import LocationCore

/// A receiver's way from one stop to the next.
///
/// A leg begins when the receiver is more than 50 m from the place where it set off, and more than 75 m from the middle of
/// its stop if it was in one, or when it has made a progress of 150 m about the place. These distances are those of the
/// default ``StopCriteria``. The first two are longer if the positions are noisier; a claimed error counts four times if it
/// is wider than a stop and the receiver measures no speed. A leg begins and ends where the receiver stops, where it had no
/// position for more than 10 minutes and three intervals between its fixes, or where its position jumped faster than
/// 350 m/s.
package struct Leg: Hashable, Sendable {
  /// Where and when a leg begins or ends.
  package struct End: Hashable, Sendable {
    /// The time, by the receiver's clock; `nil` if it reported no time.
    package var time: Timestamp?
    /// The position.
    package var coordinate: Coordinate
    /// When the fix arrived, by the clock of the updates.
    package var moment: Moment
  }

  /// Where and when it begins.
  package var start: End
  /// Where and when it ends.
  package var end: End
  /// The length of the leg, in metres: the sum of the geodesics between fixes that are farther apart than the
  /// observed noise explains. If half of the fixes have a speed, and the speed shows a length that is up to a quarter
  /// longer, that length, because noise hides corners.
  package var distance: Double
  /// The distance by integration of the measured speed, and by the positions where it was not measured for 10 s, in metres;
  /// `nil` if fewer than half of the fixes have a speed.
  package var dopplerDistance: Double?
  /// How long it took.
  package var duration: Duration
  /// How long the receiver moved, judged by its speed and its position.
  package var movingTime: Duration
  /// The highest speed that lasted 3 s, in metres per second; `nil` if it is unknown, above 350 m/s, or lower than the
  /// mean speed because the receiver was faster where its speed was not measured.
  package var topSpeed: Double?
  /// The sum of all climbs, in metres; `nil` without heights above mean sea level. Climbs of less than 5 m, or less
  /// than 3.5 observed standard deviations, do not count. At a summit or in a valley, the height is the mean of the
  /// nearby heights that differ only by noise.
  package var ascent: Double?
  /// The sum of all descents, in metres; `nil` without heights.
  package var descent: Double?
  /// The indices of its fixes among the fixes that count.
  var fixes: Range<Int>

  /// The distance divided by the duration, in metres per second; `nil` if no time passed, or if it is above 350 m/s,
  /// because the positions are wrong.
  package var meanSpeed: Double? {
    guard duration > .zero else { return nil }
    let mean = distance / duration.inSeconds
    return mean <= TripFix.fastest ? mean : nil
  }

  /// The distance covered while moving, divided by the time moving, in metres per second. It is not less than the
  /// mean speed, and not more than the top speed. Without a top speed it is the mean speed, because the time moving is
  /// uncertain. It is `nil` if the receiver did not move, or has no mean speed.
  package var meanMovingSpeed: Double? {
    guard movingTime > .zero, let meanSpeed else { return nil }
    return min(max(meanSpeed, distance / movingTime.inSeconds), topSpeed ?? meanSpeed)
  }
}

/// A stay at one place for at least as long as ``StopCriteria`` require.
///
/// A stop includes small movements about the place, such as those of a boat at anchor. It also includes outages after
/// which the receiver is at the same place. Its marks lie within one and a half radiuses of the place, or within the noise
/// of the positions. An excursion of less than 150 m belongs to it, and so do positions elsewhere that the receiver was not
/// seen to reach, if it is back before it could have stopped there.
package struct Stop: Hashable, Sendable {
  /// The fix at which the receiver came to rest.
  package var start: Leg.End
  /// The last fix before it moved on, or before the observation ended.
  package var end: Leg.End
  /// The median of the positions.
  package var coordinate: Coordinate
  /// How long it lasted.
  package var duration: Duration
  /// The sum of the climbs on the spot, for example of a lift or a drone, in metres; 0 if the heights only scatter,
  /// `nil` without heights above mean sea level.
  package var ascent: Double?
  /// The sum of the descents on the spot, in metres; `nil` without heights.
  package var descent: Double?
  /// The indices of its fixes among the fixes that count.
  var fixes: Range<Int>

  /// Whether the receiver climbed or descended on the spot.
  var climbs: Bool { (ascent ?? 0) + (descent ?? 0) > 0 }
}

/// A period from the last row to a fix at another place, without a fix that counts or with too few for a row.
///
/// There was none for 10 minutes and three intervals between fixes, or the receiver stood still before and after it, or its
/// position jumped faster than 350 m/s.
package struct Gap: Hashable, Sendable {
  /// The last fix before the gap.
  package var start: Leg.End
  /// The first fix after the gap.
  package var end: Leg.End
  /// How long it lasted.
  package var duration: Duration
  /// The length of the geodesic between the two places, in metres. The actual way may be longer.
  package var distance: Double
  /// The index of the first fix after it, among the fixes that count.
  var fix: Int
}

// Public initializers let programs create results for tests. An argument that is left out is unknown.

extension Leg.End {
  /// Creates an end of a leg, a stop or a gap.
  ///
  /// - Parameters:
  ///   - coordinate: The position.
  ///   - time: The time, by the receiver's clock; `nil` if it reported no time.
  ///   - moment: When the fix arrived, by the clock of the updates.
  package init(_ coordinate: Coordinate, time: Timestamp? = nil, at moment: Moment) {
    self.init(time: time, coordinate: coordinate, moment: moment)
  }
}

extension Leg {
  /// Creates a leg that was observed completely.
  ///
  /// - Parameters:
  ///   - start: Where and when it begins.
  ///   - end: Where and when it ends.
  ///   - distance: The length of the leg, in metres; `nil` for the length of the geodesic between its ends.
  ///   - movingTime: How long the receiver moved; `nil` for all of the time.
  ///   - dopplerDistance: The integrated speed, in metres; `nil` if no speed was measured.
  ///   - topSpeed: The highest speed, in metres per second; `nil` if it is unknown.
  ///   - ascent: The sum of all climbs, in metres; `nil` without heights.
  ///   - descent: The sum of all descents, in metres; `nil` without heights.
  package init(
    from start: End, to end: End, distance: Double? = nil, movingTime: Duration? = nil,
    dopplerDistance: Double? = nil, topSpeed: Double? = nil, ascent: Double? = nil,
    descent: Double? = nil
  ) {
    let duration = start.moment.duration(to: end.moment)
    let distance = distance ?? start.coordinate.distance(to: end.coordinate)
    self.init(
      start: start, end: end, distance: distance, dopplerDistance: dopplerDistance,
      duration: duration, movingTime: movingTime ?? duration, topSpeed: topSpeed, ascent: ascent,
      descent: descent, fixes: 0..<0)
  }
}

extension Stop {
  /// Creates a stop.
  ///
  /// - Parameters:
  ///   - start: Where and when the receiver came to rest.
  ///   - end: Where and when it moved on.
  ///   - coordinate: The median of the positions; `nil` for the position of the start.
  ///   - ascent: The sum of the climbs on the spot, in metres; `nil` without heights.
  ///   - descent: The sum of the descents on the spot, in metres; `nil` without heights.
  package init(
    from start: Leg.End, to end: Leg.End, coordinate: Coordinate? = nil, ascent: Double? = nil,
    descent: Double? = nil
  ) {
    self.init(
      start: start, end: end, coordinate: coordinate ?? start.coordinate,
      duration: start.moment.duration(to: end.moment), ascent: ascent, descent: descent,
      fixes: 0..<0)
  }
}

extension Gap {
  /// Creates a gap. Its distance is the length of the geodesic between its ends.
  ///
  /// - Parameters:
  ///   - start: The last fix before the gap.
  ///   - end: The first fix after the gap.
  package init(from start: Leg.End, to end: Leg.End) {
    self.init(
      start: start, end: end, duration: start.moment.duration(to: end.moment),
      distance: start.coordinate.distance(to: end.coordinate), fix: 0)
  }
}

/// An event that a ``TripMonitor`` has found.
package enum TripEvent: Hashable, Sendable {
  /// A leg has begun at an earlier fix.
  case legBegan(Leg.End)
  /// The leg that had begun has ended at an earlier fix, or with the observation.
  case legEnded(Leg)
  /// A stop has begun at an earlier fix. It is reported when the receiver has stood for the minimum duration of a
  /// stop.
  case stopBegan(Leg.End)
  /// The stop that had begun has ended at an earlier fix, or with the observation. The receiver has left the place if
  /// ``legBegan(_:)`` or ``gapEnded(_:)`` follows.
  case stopEnded(Stop)
  /// The receiver is at another place after a time without a fix.
  case gapEnded(Gap)
}
