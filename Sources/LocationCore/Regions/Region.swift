#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A part of the Earth's surface that a ``RegionMonitor`` watches: a circle or a polygon.
public struct Region: Hashable, Sendable, Identifiable {
  private enum Shape: Hashable, Sendable {
    case circle(center: Coordinate, radius: Double)
    case polygon([Coordinate])
  }

  /// The name by which events refer to the region.
  public let id: String
  private let shape: Shape

  private init(_ id: String, _ shape: Shape) {
    self.id = id
    self.shape = shape
  }

  /// Returns a circle.
  ///
  /// - Parameters:
  ///   - id: The name of the region.
  ///   - center: The centre.
  ///   - radius: The radius in metres along the surface. Negative numbers and NaN count as 0.
  public static func circle(_ id: String, around center: Coordinate, radius: Double) -> Region {
    Region(id, .circle(center: center, radius: radius > 0 ? radius : 0))
  }

  /// Returns a polygon.
  ///
  /// - Parameters:
  ///   - id: The name of the region.
  ///   - vertices: The corners in order. The last one is connected with the first one. The
  ///     edges are geodesics; they may lead across a pole or the 180th meridian.
  /// - Returns: The polygon; `nil` if there are fewer than three corners, or two of them are more than 9,000 km
  ///   apart. In a larger polygon, the corners cannot all be projected from every place inside.
  public static func polygon(_ id: String, _ vertices: [Coordinate]) -> Region? {
    vertices.count < 3 || isTooWide(vertices) ? nil : Region(id, .polygon(vertices))
  }

  /// Returns whether two corners are more than 9,000 km apart.
  private static func isTooWide(_ vertices: [Coordinate]) -> Bool {
    let normals = vertices.map { vertex in
      let (up, level) = sineAndCosine(ofDegrees: vertex.latitude)
      let (east, greenwich) = sineAndCosine(ofDegrees: vertex.longitude)
      return SIMD3(level * greenwich, level * east, up)
    }
    for index in vertices.indices {
      for other in 0..<index {
        let cosine = (normals[index] * normals[other]).sum()
        // Between normals 80 and 82 degrees apart, the ellipsoid decides.
        if cosine > 0.1736 { continue }
        if cosine < 0.1392 || vertices[index].distance(to: vertices[other]) > 9_000_000 {
          return true
        }
      }
    }
    return false
  }

  /// Returns whether a position is inside the region.
  public func contains(_ coordinate: Coordinate) -> Bool {
    signedDistance(to: coordinate) <= 0
  }

  /// The centre of a circle; of a polygon, the mean of its corners.
  package var center: Coordinate {
    switch shape {
    case .circle(let center, _): return center
    case .polygon(let vertices):
      let first = vertices[0]
      let plane = vertices.map { Geodesic(from: first, to: $0) }
      let count = Double(plane.count)
      let east = plane.reduce(0) { $0 + $1.distance * sin($1.azimuth) } / count
      let north = plane.reduce(0) { $0 + $1.distance * cos($1.azimuth) } / count
      return first.moved(by: hypot(east, north), bearing: atan2(east, north) * 180 / .pi)
    }
  }

  /// The radius of a circle, in metres; `nil` for a polygon.
  package var radius: Double? {
    if case .circle(_, let radius) = shape { radius } else { nil }
  }

  /// The corners of a polygon in order; `nil` for a circle.
  package var vertices: [Coordinate]? {
    if case .polygon(let vertices) = shape { vertices } else { nil }
  }

  /// Returns the distance from the region's edge to a position, in metres: positive outside, negative inside, and
  /// infinite if a corner of the polygon is more than a quarter of the way around the Earth (10,000 km) away.
  ///
  /// For circles the distance is exact to a micrometre, for polygons to 1 mm within 10 km of the edge.
  public func signedDistance(to coordinate: Coordinate) -> Double {
    switch shape {
    case .circle(let center, let radius):
      coordinate.distance(to: center) - radius
    case .polygon(let vertices):
      GnomonicPolygon(vertices, seenFrom: coordinate)?.signedDistance ?? .infinity
    }
  }

  /// The distance from the edge to the point inside that is farthest from it, in metres. For a polygon, it is the
  /// distance to the mean of the corners.
  var depth: Double {
    switch shape {
    case .circle(_, let radius): radius
    case .polygon: abs(signedDistance(to: center))
    }
  }
}

extension Region: CustomStringConvertible {
  /// The name, and the shape, such as `harbour: 500.0 m around -33.85, 151.21`.
  public var description: String {
    switch shape {
    case .circle(let center, let radius): "\(id): \(radius) m around \(center)"
    case .polygon(let vertices): "\(id): polygon of \(vertices.count) corners"
    }
  }
}

/// A polygon in the ellipsoidal gnomonic projection around an observer, in which geodesics are nearly
/// straight lines (C. F. F. Karney, "Algorithms for geodesics", section 8).
private struct GnomonicPolygon {
  private let corners: [(east: Double, north: Double)]

  /// Creates the projection; `nil` if a corner is beyond the observer's horizon.
  init?(_ vertices: [Coordinate], seenFrom observer: Coordinate) {
    var corners: [(east: Double, north: Double)] = []
    for vertex in vertices {
      let geodesic = Geodesic(from: observer, to: vertex)
      guard geodesic.scale > 0 else { return nil }
      let radius = geodesic.reducedLength / geodesic.scale
      corners.append((radius * sin(geodesic.azimuth), radius * cos(geodesic.azimuth)))
    }
    self.corners = corners
  }

  /// The distance from the edge to the observer, who is at the origin.
  var signedDistance: Double {
    var isInside = false
    var nearest = Double.infinity
    var before = corners[corners.count - 1]
    for corner in corners {
      let (east, north) = (corner.east - before.east, corner.north - before.north)
      // A ray to the north crosses the edge.
      if (before.east > 0) != (corner.east > 0),
        before.north - before.east * north / east > 0
      {
        isInside.toggle()
      }
      let length = east * east + north * north
      let along = length > 0 ? -(before.east * east + before.north * north) / length : 0
      let part = min(max(along, 0), 1)
      nearest = min(nearest, hypot(before.east + part * east, before.north + part * north))
      before = corner
    }
    // From the projection's radius back to a length, on the sphere of the mean radius.
    let radius = 6_371_008.8
    let distance = radius * atan(nearest / radius)
    return isInside ? -distance : distance
  }
}
