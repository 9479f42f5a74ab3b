public import Foundation
public import LocationCore

extension Date {
  /// The same instant, as exactly as a `Date` can tell it: to a quarter of a microsecond these days.
  public init(_ timestamp: Timestamp) {
    let (seconds, nanoseconds) = timestamp.nanosecondsSince1970.quotientAndRemainder(
      dividingBy: 1_000_000_000)
    self.init(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9)
  }
}

extension Timestamp {
  /// The same instant; `nil` before 1677 and after 2262.
  public init?(_ date: Date) {
    let nanoseconds = (date.timeIntervalSince1970 * 1e9).rounded()
    guard let nanoseconds = Int64(exactly: nanoseconds) else { return nil }
    self.init(nanosecondsSince1970: nanoseconds)
  }
}
