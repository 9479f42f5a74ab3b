/// A duration in 64 bits, faster in the state machines than the 128 bits of `Duration`.
///
/// Arithmetic clamps to ±292 years, so that the times in a recording cannot overflow.
package struct Nanoseconds: Hashable, Comparable, Sendable {
  package var count: Int64

  package init(_ count: Int64) { self.count = count }

  package init(_ duration: Duration) { count = duration.nanoseconds }

  /// Creates a duration by rounding and clamping a number of nanoseconds; NaN becomes zero.
  package init(nearestTo count: Double) {
    let rounded = count.rounded()
    self.count =
      if let exact = Int64(exactly: rounded) { exact } else if rounded.isNaN { 0 } else {
        rounded < 0 ? .min : .max
      }
  }

  package static let zero = Nanoseconds(0)

  package static func seconds(_ count: Int) -> Nanoseconds { milliseconds(count) * 1000 }

  package static func milliseconds(_ count: Int) -> Nanoseconds {
    Nanoseconds(1_000_000) * Int64(count)
  }

  /// The duration without its sign.
  package var magnitude: Nanoseconds { max(self, .zero - self) }

  package var duration: Duration { .nanoseconds(count) }

  /// The duration as a number of seconds, equal to `duration.inSeconds`.
  package var inSeconds: Double {
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Double(seconds) + Double(rest * 1_000_000_000) / 1e18
  }

  @inlinable
  package static func < (lhs: Nanoseconds, rhs: Nanoseconds) -> Bool { lhs.count < rhs.count }

  @inlinable
  package static func + (lhs: Nanoseconds, rhs: Nanoseconds) -> Nanoseconds {
    Nanoseconds(lhs.count.clampedSum(rhs.count))
  }

  @inlinable
  package static func - (lhs: Nanoseconds, rhs: Nanoseconds) -> Nanoseconds {
    Nanoseconds(lhs.count.clampedDifference(rhs.count))
  }

  package static func * (lhs: Nanoseconds, factor: Int64) -> Nanoseconds {
    let (product, overflow) = lhs.count.multipliedReportingOverflow(by: factor)
    return Nanoseconds(overflow ? ((lhs.count < 0) == (factor < 0) ? .max : .min) : product)
  }

  package static func / (lhs: Nanoseconds, divisor: Int64) -> Nanoseconds {
    Nanoseconds(lhs.count / divisor)
  }
}

extension Nanoseconds {
  /// Returns the duration divided by `divisor`, rounded and clamped.
  package func divided(by divisor: Double) -> Nanoseconds {
    Nanoseconds(nearestTo: Double(count) / divisor)
  }
}

extension Int64 {
  /// Returns the sum, clamped instead of overflowing.
  @inlinable
  package func clampedSum(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// Returns the difference, clamped instead of overflowing.
  @inlinable
  package func clampedDifference(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
