/// An instant by this machine's clocks.
///
/// Moments are ordered and equal, and their distance is measured, by ``uptime`` alone: it never
/// jumps, and goes on while the machine is suspended. ``wall`` is for people and files, and says
/// nothing of which moment is earlier: a deadline that has none is over when its uptime is.
public struct Moment: Comparable, Sendable {
  private var nanoseconds: Int64
  /// The time of day in UTC. `nil` where it is not known: in a replay of a recording without
  /// receive times.
  public var wall: Timestamp?

  /// - Parameters:
  ///   - uptime: The time since some fixed instant, counting suspended time.
  ///   - wall: The time of day in UTC; `nil` where it is not known.
  public init(uptime: Duration, wall: Timestamp? = nil) {
    nanoseconds = uptime.nanoseconds
    self.wall = wall
  }

  package init(uptimeNanoseconds: Int64, wall: Timestamp?) {
    nanoseconds = uptimeNanoseconds
    self.wall = wall
  }

  /// A moment before all others: a deadline that has always passed.
  package static let past = Moment(uptimeNanoseconds: .min, wall: nil)

  /// The time since some fixed instant. Only differences mean anything.
  public var uptime: Duration { .nanoseconds(nanoseconds) }

  package var uptimeNanoseconds: Int64 { nanoseconds }

  /// Whether `lhs` is earlier by ``uptime``.
  public static func < (lhs: Moment, rhs: Moment) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// Whether both have the same ``uptime``. Compare ``wall`` where the time of day matters.
  public static func == (lhs: Moment, rhs: Moment) -> Bool { lhs.nanoseconds == rhs.nanoseconds }

  /// The moment so much later, by both clocks; the nearest that can be expressed where that is out
  /// of range.
  public func advanced(by duration: Duration) -> Moment {
    later(by: Nanoseconds(duration))
  }

  /// The same as ``advanced(by:)``.
  package func later(by time: Nanoseconds) -> Moment {
    Moment(
      uptimeNanoseconds: nanoseconds.clampedSum(time.count), wall: wall?.later(by: time))
  }

  /// The same as ``duration(to:)``.
  package func nanoseconds(to other: Moment) -> Nanoseconds {
    Nanoseconds(other.nanoseconds.clampedDifference(nanoseconds))
  }

  /// The earlier of the two, where there are two.
  package func orEarlier(_ other: Moment?) -> Moment {
    guard let other, other < self else { return self }
    return other
  }

  /// How much later `other` is; negative when it is earlier.
  public func duration(to other: Moment) -> Duration {
    nanoseconds(to: other).duration
  }
}

extension Moment: Hashable {
  /// Hashes the ``uptime``, by which moments are equal.
  public func hash(into hasher: inout Hasher) { hasher.combine(nanoseconds) }
}

extension Moment: CustomStringConvertible {
  /// The uptime, and the time of day where it is known: `12.5 seconds (2026-11-20T07:05:12.000Z)`.
  public var description: String { "\(uptime)" + (wall.map { " (\($0))" } ?? "") }
}
