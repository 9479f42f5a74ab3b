/// A position on the WGS 84 ellipsoid. Both numbers are always finite and in range.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, -90 to 90.
  public let latitude: Double
  /// Degrees east of Greenwich, -180 to 180.
  public let longitude: Double

  /// Creates a position; `nil` if a number is not finite or is out of range.
  ///
  /// - Parameters:
  ///   - latitude: Degrees north of the equator, -90 to 90.
  ///   - longitude: Degrees east of Greenwich, -180 to 180.
  public init?(latitude: Double, longitude: Double) {
    guard QuantityRange.latitude.contains(latitude), QuantityRange.longitude.contains(longitude)
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  private init() {
    latitude = 0
    longitude = 0
  }

  /// Latitude and longitude 0, a placeholder to fill in later.
  package static let nullIsland = Coordinate()
}

extension Coordinate: CustomStringConvertible {
  /// The latitude and longitude in degrees, such as `48.14997, 11.58477`.
  public var description: String { "\(latitude), \(longitude)" }
}

/// The ellipsoid of WGS 84, which GNSS positions refer to (NGA.STND.0036).
package enum WGS84 {
  /// In metres.
  package static let equatorialRadius = 6_378_137.0
  package static let flattening = 1 / 298.257_223_563
}
