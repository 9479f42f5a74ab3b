/// An instant in UTC, to the nanosecond.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted (POSIX time). From 1677 to
  /// 2262.
  public var nanosecondsSince1970: Int64

  /// An instant by its nanoseconds since 1970-01-01T00:00:00Z.
  @inlinable
  public init(nanosecondsSince1970: Int64) {
    self.nanosecondsSince1970 = nanosecondsSince1970
  }

  /// An instant given in seconds since 1970-01-01T00:00:00Z, and nanoseconds beyond them.
  ///
  /// It traps where 64 bits of nanoseconds cannot hold it: before 1677 and after 2262.
  public init(secondsSince1970 seconds: Int64, nanoseconds: Int32 = 0) {
    nanosecondsSince1970 = seconds * 1_000_000_000 + Int64(nanoseconds)
  }

  /// Whether `lhs` is earlier.
  @inlinable
  public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
    lhs.nanosecondsSince1970 < rhs.nanosecondsSince1970
  }

  /// The instant `duration` later; the nearest that can be expressed where that is out of range.
  public func advanced(by duration: Duration) -> Timestamp {
    later(by: Nanoseconds(duration))
  }

  /// How much later `other` is; negative when it is earlier.
  public func duration(to other: Timestamp) -> Duration {
    nanoseconds(to: other).duration
  }

  /// The same as ``advanced(by:)``.
  package func later(by time: Nanoseconds) -> Timestamp {
    Timestamp(nanosecondsSince1970: nanosecondsSince1970.clampedSum(time.count))
  }

  /// The same as ``duration(to:)``.
  package func nanoseconds(to other: Timestamp) -> Nanoseconds {
    Nanoseconds(other.nanosecondsSince1970.clampedDifference(nanosecondsSince1970))
  }
}

extension Duration {
  /// Whole nanoseconds, clamped to what an `Int64` holds (292 years).
  package var nanoseconds: Int64 {
    // Its components would trap where the seconds are more than an Int64 holds.
    Int64(clamping: attoseconds / 1_000_000_000)
  }

  /// The duration as a number of seconds.
  package var inSeconds: Double {
    let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
    return Double(seconds) + Double(rest) / 1e18
  }
}

extension Timestamp: CustomStringConvertible {
  /// The instant in UTC, with milliseconds or finer: `2026-11-20T07:05:12.000Z`.
  public var description: String {
    var bytes: [UInt8] = []
    appendISO8601(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
