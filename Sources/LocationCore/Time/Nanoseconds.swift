/// A length of time in one machine word. `Duration` counts attoseconds in 128 bits, which the
/// machines would pay for with each report.
///
/// It goes from -292 to 292 years, and ends there: what a recording claims cannot overflow it.
package struct Nanoseconds: Hashable, Comparable, Sendable {
  package var count: Int64

  package init(_ count: Int64) { self.count = count }

  package init(_ duration: Duration) { count = duration.nanoseconds }

  /// The one that is nearest to a number of nanoseconds; none at all where that is NaN.
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

  package var duration: Duration { .nanoseconds(count) }

  /// The same number as `duration.inSeconds`, which counts in 128 bits.
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
  /// The nearest length to so small a part of it.
  package func divided(by divisor: Double) -> Nanoseconds {
    Nanoseconds(nearestTo: Double(count) / divisor)
  }
}

extension Int64 {
  /// The sum, or the nearest number that there is.
  @inlinable
  package func clampedSum(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearest number that there is.
  @inlinable
  package func clampedDifference(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
