public import Foundation
public import LocationCore

/// The quantities that people are shown most, with their units, to be converted and formatted. Each is
/// `nil` where the receiver does not tell.
///
/// ```swift
/// fix.speedMeasurement?.converted(to: .knots).formatted()
/// ```
extension LocationFix {
  /// `speed`: over ground.
  public var speedMeasurement: Measurement<UnitSpeed>? {
    speed.map { Measurement(value: $0, unit: .metersPerSecond) }
  }

  /// `altMSL`: height above mean sea level.
  public var altitudeMeasurement: Measurement<UnitLength>? {
    altMSL.map { Measurement(value: $0, unit: .meters) }
  }

  /// `accuracy`: estimated horizontal error.
  public var accuracyMeasurement: Measurement<UnitLength>? {
    accuracy.map { Measurement(value: $0, unit: .meters) }
  }

  /// `track`: course over ground, from true north.
  public var trackMeasurement: Measurement<UnitAngle>? {
    track.map { Measurement(value: $0, unit: .degrees) }
  }
}

extension Coordinate {
  /// The distance along the surface.
  public func distanceMeasurement(to other: Coordinate) -> Measurement<UnitLength> {
    Measurement(value: distance(to: other), unit: .meters)
  }
}
