// snippet: foundation
import Foundation
import LocationCore

extension Date {
  /// Creates a date from a time, rounded to the precision of `Date`: 0.24 µs at present.
  init(_ time: Timestamp) {
    self.init(timeIntervalSince1970: Double(time.nanosecondsSince1970) / 1e9)
  }
}

extension Timestamp {
  /// Creates a time from a date; `nil` if the date is before 1677 or after 2262.
  init?(_ date: Date) {
    let nanoseconds = (date.timeIntervalSince1970 * 1e9).rounded()
    guard let nanoseconds = Int64(exactly: nanoseconds) else { return nil }
    self.init(nanosecondsSince1970: nanoseconds)
  }
}

extension LocationFix {
  var speedMeasurement: Measurement<UnitSpeed>? {
    speed.map { Measurement(value: $0, unit: .metersPerSecond) }
  }

  var altitudeMeasurement: Measurement<UnitLength>? {
    altitude.map { Measurement(value: $0, unit: .meters) }
  }
}
// end
