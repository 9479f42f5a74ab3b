import LocationCore
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The plane that touches the WGS 84 ellipsoid at an origin: metres to the east and to the north of
/// it.
///
/// Positions are taken to Earth-centred coordinates and rotated, which is exact at any distance, at
/// the poles and across the date line (Groves, Principles of GNSS, 2nd ed., 2.4.4).
struct LocalPlane: Sendable {
  private static let a = 6_378_137.0
  private static let f = 1 / 298.257223563
  private static let e2 = f * (2 - f)

  let origin: Coordinate
  private let x, y, z: Double
  private let sinLatitude, cosLatitude, sinLongitude, cosLongitude: Double
  private let height: Double

  /// - Parameter height: The height of the origin above the ellipsoid, in metres.
  init(at origin: Coordinate, height: Double) {
    self.origin = origin
    self.height = height
    (sinLatitude, cosLatitude) = Self.sinAndCos(origin.latitude)
    (sinLongitude, cosLongitude) = Self.sinAndCos(origin.longitude)
    (x, y, z) = Self.earthCentred(origin, height: height)
  }

  /// Returns where a position is, in metres to the east and to the north of the origin.
  ///
  /// - Parameter height: Above the ellipsoid, in metres; `nil` for that of the origin.
  func project(_ position: Coordinate, height: Double? = nil) -> (east: Double, north: Double) {
    let point = Self.earthCentred(position, height: height ?? self.height)
    let (dx, dy, dz) = (point.x - x, point.y - y, point.z - z)
    let outward = cosLongitude * dx + sinLongitude * dy
    return (
      -sinLongitude * dx + cosLongitude * dy, cosLatitude * dz - sinLatitude * outward
    )
  }

  private static func earthCentred(
    _ position: Coordinate, height: Double
  ) -> (x: Double, y: Double, z: Double) {
    let (sinLatitude, cosLatitude) = sinAndCos(position.latitude)
    let (sinLongitude, cosLongitude) = sinAndCos(position.longitude)
    let n = a / (1 - e2 * sinLatitude * sinLatitude).squareRoot()
    let r = (n + height) * cosLatitude
    return (r * cosLongitude, r * sinLongitude, (n * (1 - e2) + height) * sinLatitude)
  }

  private static func sinAndCos(_ degrees: Double) -> (Double, Double) {
    let radians = degrees * .pi / 180
    return (sin(radians), cos(radians))
  }
}
