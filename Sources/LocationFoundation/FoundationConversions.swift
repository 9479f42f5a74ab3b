public import Foundation
// Reexported because this module only extends types of LocationCore.
@_exported public import LocationCore

/// Quantities with their units, for conversion and formatting. Each is `nil` if the quantity is
/// unknown.
///
/// ```swift
/// fix.speedMeasurement?.converted(to: .knots).formatted()
/// ```
extension LocationFix {
  /// The `speed` over ground; `nil` if unknown.
  public var speedMeasurement: Measurement<UnitSpeed>? {
    speed.map { Measurement(value: $0, unit: .metersPerSecond) }
  }

  /// The height above mean sea level, `altMSL`; `nil` if unknown.
  public var altitudeMeasurement: Measurement<UnitLength>? {
    altMSL.map { Measurement(value: $0, unit: .meters) }
  }

  /// The estimated horizontal error, `accuracy`; `nil` if unknown.
  public var accuracyMeasurement: Measurement<UnitLength>? {
    accuracy.map { Measurement(value: $0, unit: .meters) }
  }

  /// The course over ground from true north, `track`; `nil` if unknown.
  public var trackMeasurement: Measurement<UnitAngle>? {
    track.map { Measurement(value: $0, unit: .degrees) }
  }
}

extension Coordinate {
  /// Returns the length of the shortest path to another position, as `distance(to:)` does.
  public func distanceMeasurement(to other: Coordinate) -> Measurement<UnitLength> {
    Measurement(value: distance(to: other), unit: .meters)
  }
}

extension Date {
  /// Creates a date from a timestamp, rounded to the precision of `Date`: 0.24 µs at present.
  public init(_ timestamp: Timestamp) {
    let (seconds, nanoseconds) = timestamp.nanosecondsSince1970.quotientAndRemainder(
      dividingBy: 1_000_000_000)
    self.init(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9)
  }
}

extension Timestamp {
  /// Creates a timestamp from a date; `nil` if the date is before 1677 or after 2262.
  public init?(_ date: Date) {
    let nanoseconds = (date.timeIntervalSince1970 * 1e9).rounded()
    guard let nanoseconds = Int64(exactly: nanoseconds) else { return nil }
    self.init(nanosecondsSince1970: nanoseconds)
  }
}

extension LocationError: LocalizedError {
  /// The error's `description`, in English, which `localizedDescription` returns.
  public var errorDescription: String? { description }
}
