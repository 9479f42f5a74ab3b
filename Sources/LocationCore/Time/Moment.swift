/// A point in time by the local clocks: an uptime, and a time of day.
///
/// Comparisons and durations use only the ``uptime``, which never jumps and includes the time that
/// the machine is suspended. The time of day, ``wall``, is for display and for files.
///
/// An uptime is valid on one machine until its restart: moments of another machine, or from before a restart, can be
/// compared only by ``wall``.
public struct Moment: Comparable, Sendable {
  private var nanoseconds: Int64
  /// The time of day in UTC; `nil` if unknown, as in a replay of a recording without receive times.
  public var wall: Timestamp?

  /// Creates a moment.
  ///
  /// - Parameters:
  ///   - uptime: The time since an arbitrary fixed point, including suspended time. It is stored in
  ///     whole nanoseconds and clamped to 292 years.
  ///   - wall: The time of day in UTC; `nil` if unknown.
  public init(uptime: Duration, wall: Timestamp? = nil) {
    nanoseconds = uptime.nanoseconds
    self.wall = wall
  }

  package init(uptimeNanoseconds: Int64, wall: Timestamp?) {
    nanoseconds = uptimeNanoseconds
    self.wall = wall
  }

  /// The earliest moment: a deadline that has always passed.
  package static let past = Moment(uptimeNanoseconds: .min, wall: nil)

  /// The time since an arbitrary fixed point, including suspended time.
  public var uptime: Duration { .nanoseconds(nanoseconds) }

  package var uptimeNanoseconds: Int64 { nanoseconds }

  /// Returns whether `lhs` is earlier than `rhs` by ``uptime``.
  public static func < (lhs: Moment, rhs: Moment) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// Returns whether both moments have the same ``uptime``.
  public static func == (lhs: Moment, rhs: Moment) -> Bool { lhs.nanoseconds == rhs.nanoseconds }

  /// Returns the moment that is `duration` later by both clocks. A result out of range is clamped.
  public func advanced(by duration: Duration) -> Moment {
    later(by: Nanoseconds(duration))
  }

  /// Like ``advanced(by:)``, without a conversion to `Duration`.
  package func later(by time: Nanoseconds) -> Moment {
    Moment(
      uptimeNanoseconds: nanoseconds.clampedSum(time.count), wall: wall?.later(by: time))
  }

  /// Like ``duration(to:)``, without a conversion to `Duration`.
  package func nanoseconds(to other: Moment) -> Nanoseconds {
    Nanoseconds(other.nanoseconds.clampedDifference(nanoseconds))
  }

  /// Returns the earlier of this moment and `other`; this one if `other` is `nil`.
  package func earlier(of other: Moment?) -> Moment {
    guard let other, other < self else { return self }
    return other
  }

  /// Returns the time from this moment to `other`; negative if `other` is earlier. A result beyond 292 years is
  /// clamped.
  public func duration(to other: Moment) -> Duration {
    nanoseconds(to: other).duration
  }
}

extension Moment: Hashable {
  /// Hashes the ``uptime``.
  public func hash(into hasher: inout Hasher) { hasher.combine(nanoseconds) }
}

extension Moment: CustomStringConvertible {
  /// The uptime, followed by the time of day if it is known, such as
  /// `12.5 seconds (2026-11-20T07:05:12.000Z)`.
  public var description: String {
    // Whole milliseconds, the nearest number to which is printed without an artefact.
    let milliseconds = (uptime / .milliseconds(1)).rounded()
    return "\(milliseconds / 1000) seconds" + (wall.map { " (\($0))" } ?? "")
  }
}
