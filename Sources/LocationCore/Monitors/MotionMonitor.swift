/// Decides whether a receiver moves or stands still.
///
/// A receiver is stationary if, for a dwell time, it has stayed within a distance *d* of the first fix of
/// that time, and no faster than a maximum speed. It moves again when it is farther away than that. With
/// the accuracies *a₁* and *a₂* of the two fixes, whose errors are taken to be independent,
///
/// *d* = max(radius, √(*a₁*² + *a₂*²)),
///
/// so that an inaccurate fix does not count as a motion. A speed alone does not end a standstill, because
/// receivers at rest report bursts of it. A receiver that creeps alternates: it is stationary after each
/// dwell time, and moves each time it has left the place. As for a ``RegionMonitor``, an unknown accuracy
/// counts as 20 m and one below 5 m as 5 m; inaccurate fixes are ignored, and if there is no other fix for
/// a grace period, the motion is unknown.
///
/// The method and its default values are locwatch's own. Core Location does not publish those of
/// `CLLocationUpdate.stationary`.
public struct MotionMonitor: LocationMonitor {
  /// The first fix of a possible standstill.
  private struct Anchor: Sendable {
    var coordinate: Coordinate
    var accuracy: Double
    var moment: Moment
  }

  private let dwell: Duration
  private let radius: Double
  private let maximumSpeed: Double
  private let maximumAccuracy: Double
  private let grace: Duration
  private var anchor: Anchor?
  /// When the last fix arrived that counts; `nil` if there was none for the grace period.
  private var latest: Moment?

  /// Whether the receiver moves.
  public private(set) var motion = Motion.unknown

  /// Creates a monitor that knows nothing yet. Negative arguments and NaN count as zero.
  ///
  /// - Parameters:
  ///   - dwell: How long a receiver stays in place before it is stationary.
  ///   - radius: The distance within which it stays, in metres, unless its accuracy is worse.
  ///   - maximumSpeed: The largest ``LocationFix/speed`` of a receiver that is about to be stationary, in
  ///     metres per second. An unknown speed counts as 0.
  ///   - maximumAccuracy: The largest ``LocationFix/accuracy`` of a fix that counts, in metres.
  ///   - grace: How long the motion is kept without a fix that counts.
  public init(
    dwell: Duration = .seconds(60), radius: Double = 25, maximumSpeed: Double = 0.5,
    maximumAccuracy: Double = 100, grace: Duration = .seconds(30)
  ) {
    self.dwell = dwell.asLimit
    self.radius = radius.asLimit
    self.maximumSpeed = maximumSpeed.asLimit
    self.maximumAccuracy = maximumAccuracy.asLimit
    self.grace = grace.asLimit
  }

  /// When the motion becomes unknown unless a fix arrives; `nil` without a fix that counts.
  public var deadline: Moment? { latest?.advanced(by: grace) }

  /// Handles a fix.
  ///
  /// - Parameters:
  ///   - fix: The fix. One that is not current is ignored.
  ///   - moment: When the fix arrived.
  /// - Returns: The changes of the motion.
  public mutating func handle(_ fix: LocationFix, at moment: Moment) -> [MotionEvent] {
    let events = expire(at: moment)
    guard fix.counts(within: maximumAccuracy) else { return events }
    let accuracy = fix.cautiousAccuracy
    latest = moment
    let here = Anchor(coordinate: fix.coordinate, accuracy: accuracy, moment: moment)
    let start = anchor ?? here
    let reach = max(
      radius, (start.accuracy * start.accuracy + accuracy * accuracy).squareRoot())
    let isAway = start.coordinate.distance(to: fix.coordinate) > reach
    let isFast = motion != .stationary && (fix.speed ?? 0) > maximumSpeed
    if isAway || isFast {
      anchor = here
      return events + change(to: .moving, fix: fix, at: moment)
    }
    anchor = start
    guard start.moment.duration(to: moment) >= dwell else { return events }
    return events + change(to: .stationary, fix: fix, at: moment)
  }

  /// Makes the motion unknown if the grace period is over.
  ///
  /// - Returns: The change of the motion, if it was known.
  public mutating func expire(at moment: Moment) -> [MotionEvent] {
    guard let deadline, deadline <= moment else { return [] }
    latest = nil
    anchor = nil
    return change(to: .unknown, fix: nil, at: deadline)
  }

  private mutating func change(
    to new: Motion, fix: LocationFix?, at moment: Moment
  ) -> [MotionEvent] {
    guard new != motion else { return [] }
    defer { motion = new }
    return [MotionEvent(new, previous: motion, fix: fix, at: moment)]
  }
}
