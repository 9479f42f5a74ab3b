#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Coordinate {
  /// Returns the length of the shortest path to another position, in metres.
  ///
  /// The path is the geodesic on the WGS 84 ellipsoid, at sea level. The length is exact to a micrometre for all
  /// positions, including antipodes and poles (C. F. F. Karney, "Algorithms for geodesics", Journal of Geodesy 87,
  /// 2013).
  public func distance(to other: Coordinate) -> Double { Geodesic(from: self, to: other).distance }

  /// Returns the direction of the shortest path to another position, at its start, in degrees east of
  /// true north, 0 to less than 360.
  ///
  /// The direction to the same position is 0. If there are several shortest paths, as to the opposite side of the
  /// Earth, one of them is used.
  public func bearing(to other: Coordinate) -> Double {
    guard self != other else { return 0 }
    let degrees = Geodesic(from: self, to: other).azimuth * 180 / .pi
    let bearing = degrees < 0 ? degrees + 360 : degrees
    return bearing < 360 ? bearing : 0
  }

  /// Returns the position at a distance and in a direction from this one, along the geodesic on the
  /// WGS 84 ellipsoid.
  ///
  /// - Parameters:
  ///   - distance: The distance in metres; negative for the opposite direction.
  ///   - bearing: The direction at the start, in degrees east of true north.
  /// - Returns: The position; this one if one of the numbers is not finite.
  public func moved(by distance: Double, bearing: Double) -> Coordinate {
    guard distance.isFinite, bearing.isFinite else { return self }
    let flattening = WGS84.flattening
    let (sine, cosine) = sineAndCosine(ofDegrees: bearing)
    let geodetic = sineAndCosine(ofDegrees: latitude)
    let start = GeodesicSeries.Arc((1 - flattening) * geodetic.sine, max(geodetic.cosine, 1e-150))
    // The azimuth at the equator, by Clairaut's relation.
    let east = sine * start.cosine
    let north = hypot(cosine, sine * start.sine)
    let meridional = cosine * start.cosine
    let first =
      start.sine == 0 && meridional == 0
      ? GeodesicSeries.Arc(0, 1) : GeodesicSeries.Arc(start.sine, meridional)
    let series = GeodesicSeries(equatorialCosine: north)
    let length = distance / Geodesic.polarRadius
    var arc = length
    // The arc for the length, by Newton's method: four steps are more than enough.
    for _ in 0..<4 {
      let second = first.advanced(by: arc)
      let error = length - series.distance(from: first, to: second, arc: arc)
      arc += error / series.slope(at: second)
    }
    let second = first.advanced(by: arc)
    let along = hypot(east, north * second.cosine)
    let longitudes =
      atan2(east * second.sine, second.cosine) - atan2(east * first.sine, first.cosine)
      - flattening * east * series.lag(from: first, to: second, arc: arc)
    let latitude = atan2(north * second.sine, (1 - flattening) * along) * 180 / .pi
    let longitude = (longitude + longitudes * 180 / .pi).remainder(dividingBy: 360)
    return Coordinate(latitude: max(-90, min(latitude, 90)), longitude: longitude) ?? self
  }
}

extension GeodesicSeries.Arc {
  fileprivate func advanced(by angle: Double) -> Self {
    let (s, c) = (sin(angle), cos(angle))
    return Self(sine * c + cosine * s, cosine * c - sine * s)
  }
}
