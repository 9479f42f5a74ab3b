import Glibc

extension Coordinate {
  /// The mean radius of the Earth that the IUGG gives, in metres.
  private static let meanRadius = 6_371_008.8

  /// The distance along the surface, in metres.
  ///
  /// It is that of the haversine formula on a sphere (R. W. Sinnott, "Virtues of the Haversine", Sky
  /// and Telescope 68, 1984), which differs from the one on the ellipsoid by 0.56 % at the most.
  public func distance(to other: Coordinate) -> Double {
    let radians = Double.pi / 180
    let latitudes = (other.latitude - latitude) * radians / 2
    let longitudes = (other.longitude - longitude) * radians / 2
    let root =
      sin(latitudes) * sin(latitudes) + cos(latitude * radians) * cos(other.latitude * radians)
      * sin(longitudes) * sin(longitudes)
    return 2 * Self.meanRadius * asin(min(1, root.squareRoot()))
  }
}
