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
  private let x, y, z: Double

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

extension [Double] {
  /// The middle number, or the higher of the two middle ones. The list must not be empty.
  var middle: Double {
    var numbers = self
    return numbers.select(count / 2)
  }

  /// Returns the number that would be at an index if the list was sorted, as Hoare's Quickselect finds it.
  private mutating func select(_ rank: Int) -> Double {
    var (first, last) = (0, count - 1)
    // Numbers that were chosen to make this slow are sorted.
    for _ in 0..<64 where first < last {
      let pivot = self[(first + last) / 2]
      var (low, high) = (first, last)
      while low <= high {
        while self[low] < pivot { low += 1 }
        while self[high] > pivot { high -= 1 }
        guard low <= high else { break }
        swapAt(low, high)
        (low, high) = (low + 1, high - 1)
      }
      if rank <= high {
        last = high
      } else if rank >= low {
        first = low
      } else {
        (first, last) = (rank, rank)
      }
    }
    if first < last { sort() }
    return self[rank]
  }
}
