import LocationCore

/// The criteria of a stop: how far a receiver may wander, and the minimum duration of the stop.
package struct StopCriteria: Hashable, Sendable {
  /// The radius of the place of a stop, in metres. A receiver has left the place when it is more than 1.5 times the
  /// radius from the middle. A negative number and NaN count as 0.
  package var radius: Double { didSet { radius = radius.asLimit } }
  /// The minimum duration of a stop. A negative duration counts as zero.
  package var duration: Duration { didSet { duration = duration.asLimit } }

  /// Creates criteria. Negative arguments and NaN count as zero.
  ///
  /// - Parameters:
  ///   - radius: The radius of the place of a stop, in metres.
  ///   - duration: The minimum duration of a stop.
  package init(radius: Double = 50, duration: Duration = .seconds(120)) {
    self.radius = radius.asLimit
    self.duration = duration.asLimit
  }

  /// How far from the middle of a stop a receiver has left it, in metres.
  package var reach: Double { 1.5 * radius }
}
