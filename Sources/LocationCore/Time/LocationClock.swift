#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A clock that returns the current time and suspends tasks.
///
/// ``live`` uses the machine's clocks; tests use a clock that they control.
public struct LocationClock: Sendable {
  private let currentMoment: @Sendable () -> Moment
  private let wait: @Sendable (Moment) async throws -> Void

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - now: Returns the current time, which must never go back.
  ///   - sleepUntil: Waits until a moment by its uptime; throws if the task is cancelled.
  public init(
    now: @escaping @Sendable () -> Moment,
    sleepUntil: @escaping @Sendable (Moment) async throws -> Void
  ) {
    currentMoment = now
    wait = sleepUntil
  }

  /// The current time. Its uptime never goes back.
  public var now: Moment { currentMoment() }

  /// Waits until `deadline`; returns at once if it has passed.
  ///
  /// - Returns: `true` when the deadline has passed; `false` if the task was cancelled.
  public func sleep(until deadline: Moment) async -> Bool {
    guard now < deadline else { return !Task.isCancelled }
    return (try? await wait(deadline)) != nil
  }
}

extension LocationClock {
  /// The machine's own clocks. Its uptime includes the time that the machine is suspended.
  public static let live = LocationClock(
    now: {
      Moment(
        uptimeNanoseconds: reading(of: continuousClock),
        wall: Timestamp(nanosecondsSince1970: reading(of: CLOCK_REALTIME)))
    },
    sleepUntil: { moment in
      let remaining = moment.uptime - .nanoseconds(reading(of: continuousClock))
      try await Task.sleep(for: remaining, clock: .continuous)
    })

  /// The clock that includes the time that the machine is suspended.
  private static var continuousClock: clockid_t {
    #if canImport(Darwin)
      CLOCK_MONOTONIC
    #else
      CLOCK_BOOTTIME
    #endif
  }

  fileprivate static func reading(of clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)  // Fails only if the clock does not exist.
    return (Nanoseconds.seconds(time.tv_sec) + Nanoseconds(Int64(time.tv_nsec))).count
  }
}

extension LocationClock: CustomStringConvertible {
  /// A text for logs and test failures, such as `clock at 3.0 seconds`. Its format may change.
  public var description: String { "clock at \(now)" }
}

extension Timestamp {
  /// The current time, by this machine's clock.
  public static var now: Timestamp {
    Timestamp(nanosecondsSince1970: LocationClock.reading(of: CLOCK_REALTIME))
  }
}

/// A point in time by this machine's clocks: an uptime, and a time of day.
///
/// Comparisons and durations use the ``uptime`` alone, which never jumps and includes the time that
/// the machine is suspended. The time of day, ``wall``, is for display and for files.
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

  /// Returns the time from this moment to `other`; negative if `other` is earlier.
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
  public var description: String { "\(uptime)" + (wall.map { " (\($0))" } ?? "") }
}
