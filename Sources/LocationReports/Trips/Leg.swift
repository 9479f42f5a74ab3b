public import LocationCore

/// A way from one place to another, between two stops.
///
/// It is longer than the place of a stop is wide. It begins and ends where the receiver stops, or where it had
/// no position for more than 10 minutes, or where its position jumped faster than 350 m/s.
public struct Leg: Hashable, Sendable, Codable {
  /// Where and when a leg begins or ends.
  public struct End: Hashable, Sendable, Codable {
    /// When, by the receiver's clock; `nil` if it told no time.
    public var time: Timestamp?
    /// Where.
    public var coordinate: Coordinate
    /// When the fix came, by the clock of the updates.
    package var moment: Moment
  }

  /// Where and when it begins.
  public var from: End
  /// Where and when it ends.
  public var to: End
  /// The length of the way, in metres: the sum of the geodesics between fixes that are farther apart than
  /// their errors.
  public var distance: Double
  /// The speed that the receiver measured, integrated over the time, in metres; `nil` if it measured none.
  public var dopplerDistance: Double?
  /// How long it took.
  public var duration: Duration
  /// How long the receiver moved, with at least 0.5 m/s.
  public var moving: Duration
  /// The highest speed that lasted 3 s, in metres per second; `nil` if it is unknown.
  public var speedTop: Double?
  /// The sum of all climbs, in metres; `nil` without heights above mean sea level. Climbs of less than
  /// 5 m do not count, nor those of less than twice the claimed error.
  public var ascent: Double?
  /// The sum of all descents, in metres; `nil` without heights.
  public var descent: Double?
  /// The numbers of its fixes among those that count, from 0.
  var fixes: Range<Int>

  /// The distance divided by the duration, in metres per second; `nil` if no time passed.
  public var speedMean: Double? { speed(over: duration) }

  /// The distance divided by the time moving, in metres per second; `nil` if the receiver did not move.
  public var speedMoving: Double? { speed(over: moving) }

  private func speed(over time: Duration) -> Double? {
    time > .zero ? distance / time.inSeconds : nil
  }
}

/// A stay of at least two minutes at one place.
///
/// 19 of 20 fixes lie within 25 m, or three times their claimed error if that is more, of their median.
/// Outages do not end a stop if the receiver is at the same place afterwards.
public struct Stop: Hashable, Sendable, Codable {
  /// When the receiver came to rest, by its own clock; `nil` if it told no time.
  public var from: Timestamp?
  /// When it moved on, or when the observation ended; `nil` if it told no time.
  public var to: Timestamp?
  /// The median of the positions.
  public var coordinate: Coordinate
  /// How long it lasted.
  public var duration: Duration
  /// The numbers of its fixes among those that count, from 0.
  var fixes: Range<Int>
}
