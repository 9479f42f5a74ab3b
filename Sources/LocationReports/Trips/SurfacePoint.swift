import LocationCore
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A position on the ellipsoid in Earth-centred coordinates, in metres.
///
/// The distance between two points needs no trigonometry, and neither the poles nor the date line are special
/// cases.
struct SurfacePoint: Hashable, Sendable {
  private var x, y, z: Double

  /// The centre of the Earth.
  init() { (x, y, z) = (0, 0, 0) }

  init(_ coordinate: Coordinate) {
    (x, y, z) = LocalPlane.earthCentred(coordinate, height: 0)
  }

  /// The median of each coordinate.
  ///
  /// - Parameter points: At least one.
  init(medianOf points: [SurfacePoint]) {
    x = points.map(\.x).middle
    y = points.map(\.y).middle
    z = points.map(\.z).middle
  }

  /// The mean of each coordinate.
  ///
  /// - Parameter points: At least one.
  init(meanOf points: [SurfacePoint]) {
    let count = Double(points.count)
    x = points.reduce(0) { $0 + $1.x } / count
    y = points.reduce(0) { $0 + $1.y } / count
    z = points.reduce(0) { $0 + $1.z } / count
  }

  /// Adds each coordinate. The ``coordinate`` of a sum is that of the mean.
  static func += (sum: inout SurfacePoint, point: SurfacePoint) {
    sum.x += point.x
    sum.y += point.y
    sum.z += point.z
  }

  /// Returns how far the point is from the midpoint of two others, in metres: along the line between them or
  /// across it, whichever is smaller.
  func deviation(between first: SurfacePoint, _ second: SurfacePoint) -> Double {
    let (dx, dy) = (x - (first.x + second.x) / 2, y - (first.y + second.y) / 2)
    let dz = z - (first.z + second.z) / 2
    let (lx, ly, lz) = (second.x - first.x, second.y - first.y, second.z - first.z)
    let length = (lx * lx + ly * ly + lz * lz).squareRoot()
    let along = length > 0 ? (dx * lx + dy * ly + dz * lz) / length : 0
    let square = dx * dx + dy * dy + dz * dz
    return min(abs(along), max(0, square - along * along).squareRoot())
  }

  /// The latitude and longitude; `nil` at the centre of the Earth.
  var coordinate: Coordinate? {
    let fromAxis = (x * x + y * y).squareRoot()
    guard fromAxis > 0 || z != 0 else { return nil }
    return Coordinate(
      latitude: atan2(z, fromAxis * (1 - LocalPlane.e2)) * 180 / .pi,
      longitude: atan2(y, x) * 180 / .pi)
  }

  /// Returns the length of the geodesic to another point, with a relative error of at most a millionth up to
  /// 300 km.
  func distance(to other: SurfacePoint) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    let square = dx * dx + dy * dy + dz * dz
    // The arc over the chord, as a series.
    let q = square / (WGS84.equatorialRadius * WGS84.equatorialRadius)
    return square.squareRoot() * (1 + q / 24 + 3 * q * q / 640)
  }
}
