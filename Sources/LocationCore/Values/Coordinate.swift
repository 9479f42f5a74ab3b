/// A place on the WGS 84 ellipsoid. There is none without both numbers, finite and in range.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, -90 to 90.
  public let latitude: Double
  /// Degrees east of Greenwich, -180 to 180.
  public let longitude: Double

  /// A place, where there is one: `nil` where a number is not finite, or out of range.
  ///
  /// - Parameters:
  ///   - latitude: Degrees north of the equator, -90 to 90.
  ///   - longitude: Degrees east of Greenwich, -180 to 180.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  private init() {
    latitude = 0
    longitude = 0
  }

  /// Null Island, which stands in a value that is yet to be filled.
  package static let nullIsland = Coordinate()
}

extension Coordinate: CustomStringConvertible {
  /// Latitude and longitude in degrees: `48.14997, 11.58477`.
  public var description: String { "\(latitude), \(longitude)" }
}
