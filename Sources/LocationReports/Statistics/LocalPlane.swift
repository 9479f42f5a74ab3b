package import LocationCore

/// The plane that touches the WGS 84 ellipsoid at an origin, with coordinates in metres to the east and to
/// the north.
///
/// Positions are converted to Earth-centred coordinates and rotated. The result is exact at any distance, at
/// the poles and across the date line (Groves, Principles of GNSS, 2nd ed., 2.4.4).
package struct LocalPlane: Sendable {
  static let e2 = WGS84.flattening * (2 - WGS84.flattening)

  package let origin: Coordinate
  private let x, y, z: Double
  private let sinLatitude, cosLatitude, sinLongitude, cosLongitude: Double
  private let height: Double

  /// - Parameter height: The height of the origin above the ellipsoid, in metres. 0 replaces a height that is
  ///   unknown or absurd.
  package init(at origin: Coordinate, height: Double?) {
    let height = height?.ifPlausible ?? 0
    self.origin = origin
    self.height = height
    (sinLatitude, cosLatitude) = sineAndCosine(ofDegrees: origin.latitude)
    (sinLongitude, cosLongitude) = sineAndCosine(ofDegrees: origin.longitude)
    (x, y, z) = Self.earthCentred(origin, height: height)
  }

  /// Returns the projection of a position at the height of the origin, in metres to the east and to the north
  /// of the origin.
  package func project(_ position: Coordinate) -> (east: Double, north: Double) {
    let point = Self.earthCentred(position, height: height)
    let (dx, dy, dz) = (point.x - x, point.y - y, point.z - z)
    let outward = cosLongitude * dx + sinLongitude * dy
    return (
      -sinLongitude * dx + cosLongitude * dy, cosLatitude * dz - sinLatitude * outward
    )
  }

  static func earthCentred(
    _ position: Coordinate, height: Double
  ) -> (x: Double, y: Double, z: Double) {
    let (sinLatitude, cosLatitude) = sineAndCosine(ofDegrees: position.latitude)
    let (sinLongitude, cosLongitude) = sineAndCosine(ofDegrees: position.longitude)
    let n = WGS84.equatorialRadius / (1 - e2 * sinLatitude * sinLatitude).squareRoot()
    let r = (n + height) * cosLatitude
    return (r * cosLongitude, r * sinLongitude, (n * (1 - e2) + height) * sinLatitude)
  }
}
