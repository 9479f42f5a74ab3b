#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The shortest path between two positions on the WGS 84 ellipsoid.
///
/// The inverse problem is solved by Newton's method within a bracket, as in C. F. F. Karney,
/// "Algorithms for geodesics", Journal of Geodesy 87, 43-55 (2013), doi:10.1007/s00190-012-0578-z.
/// Unlike Vincenty's method, this one converges for all positions, even for nearly antipodal ones.
struct Geodesic {
  /// In metres.
  private(set) var distance: Double
  /// The direction at the start, in radians east of north.
  private(set) var azimuth: Double
  /// The distance at the end between geodesics that are a radian apart at the start, in metres per radian.
  private(set) var reducedLength: Double
  /// The distance at the end between geodesics that are parallel and 1 m apart at the start, in metres.
  private(set) var scale: Double

  static let polarRadius = WGS84.equatorialRadius * (1 - WGS84.flattening)

  init(from start: Coordinate, to end: Coordinate) {
    // The positions are reflected and exchanged so that the start is in the south, farther from the equator
    // than the end, and the end is to the east of it.
    let longitudes = (end.longitude - start.longitude).remainder(dividingBy: 360)
    let isSwapped = abs(start.latitude) < abs(end.latitude)
    let (far, near) = isSwapped ? (end, start) : (start, end)
    let isReflected = far.latitude > 0
    let path = Path(
      from: ReducedLatitude(isReflected ? -far.latitude : far.latitude),
      to: ReducedLatitude(isReflected ? -near.latitude : near.latitude),
      degrees: abs(longitudes))
    distance = path.distance
    reducedLength = path.reducedLength
    scale = isSwapped ? path.scaleBack : path.scale
    let direction = isSwapped ? path.arrival : path.departure
    azimuth = atan2(
      longitudes < 0 ? -direction.sine : direction.sine,
      isReflected != isSwapped ? -direction.cosine : direction.cosine)
  }
}

/// The latitude on the auxiliary sphere.
private struct ReducedLatitude {
  let sine: Double
  let cosine: Double

  init(_ degrees: Double) {
    let (sine, cosine) = sineAndCosine(ofDegrees: degrees)
    let sphere = GeodesicSeries.Arc((1 - WGS84.flattening) * sine, max(cosine, 1e-150))
    self.sine = sphere.sine
    self.cosine = sphere.cosine
  }

  /// √(1 + e'² sin²β).
  var factor: Double {
    let eccentricity2 = WGS84.flattening * (2 - WGS84.flattening)
    return (1 + eccentricity2 / (1 - eccentricity2) * sine * sine).squareRoot()
  }
}

/// A geodesic to the east, from the south to a latitude that is no farther from the equator.
private struct Path {
  /// An azimuth, by its sine and cosine.
  typealias Direction = GeodesicSeries.Arc

  private(set) var distance = 0.0
  private(set) var reducedLength = 0.0
  private(set) var scale = 1.0
  private(set) var scaleBack = 1.0
  private(set) var departure: Direction
  private(set) var arrival: Direction

  init(from start: ReducedLatitude, to end: ReducedLatitude, degrees: Double) {
    let (sine, cosine) = sineAndCosine(ofDegrees: degrees)
    departure = Direction(sine, cosine)
    arrival = Direction(0, 1)
    if start.cosine < 1e-100 || sine == 0 {
      // A meridian, unless a shorter path leads around the ellipsoid's flattened pole.
      measure(from: start, to: end)
      if reducedLength >= 0 || distance < 1 { return }
    } else if start.sine == 0, 180 - degrees >= WGS84.flattening * 180 {
      follow(equatorFor: degrees * .pi / 180)
      return
    }
    solve(from: start, to: end, sine, cosine)
  }

  private mutating func follow(equatorFor longitude: Double) {
    let arc = longitude / (1 - WGS84.flattening)
    distance = WGS84.equatorialRadius * longitude
    reducedLength = Geodesic.polarRadius * sin(arc)
    scale = cos(arc)
    scaleBack = scale
    departure = Direction(1, 0)
    arrival = departure
  }

  /// Finds the departure for which the path meets the longitude of the end.
  private mutating func solve(
    from start: ReducedLatitude, to end: ReducedLatitude, _ sine: Double, _ cosine: Double
  ) {
    // The direction on a sphere.
    let east = end.cosine * sine
    departure =
      east > 0
      ? Direction(east, end.sine * start.cosine - end.cosine * start.sine * cosine)
      : Direction(1, 0)
    // The true direction lies between these two, north and south.
    var (low, high) = (Direction(1e-150, 1), Direction(1e-150, -1))
    for _ in 0..<100 {
      let excess = measure(from: start, to: end, sine, cosine)
      guard abs(excess) > 4e-16 else { return }
      if excess > 0 { high = departure } else { low = departure }
      let before = departure
      let slope =
        arrival.cosine == 0
        ? -2 * (1 - WGS84.flattening) * start.factor / start.sine
        : reducedLength / Geodesic.polarRadius * (1 - WGS84.flattening)
          / (arrival.cosine * end.cosine)
      let turn = -excess / slope
      departure = before.turned(by: turn)
      // With a slope of zero or less, out of the bracket, or on the spot, Newton's method does not
      // converge.
      if slope <= 0 || abs(turn) >= .pi || !departure.isBetween(low, high) || departure == before {
        departure = Direction(low.sine + high.sine, low.cosine + high.cosine)
        if departure == before { return }
      }
    }
  }

  /// Follows the departure to the latitude of the end.
  ///
  /// - Returns: The longitude there, less that of the end.
  @discardableResult
  private mutating func measure(
    from start: ReducedLatitude, to end: ReducedLatitude, _ sine: Double = 0, _ cosine: Double = 1
  ) -> Double {
    // On the equator, the azimuth alone does not determine the path: it leaves to the south.
    if start.sine == 0, departure.cosine == 0 { departure.cosine = -1e-150 }
    // The azimuth at the equator, by Clairaut's relation.
    let east = departure.sine * start.cosine
    let north = hypot(departure.cosine, departure.sine * start.sine)
    arrival.sine = end.cosine == start.cosine ? departure.sine : east / end.cosine
    let rest =
      start.cosine < -start.sine
      ? (end.cosine - start.cosine) * (start.cosine + end.cosine)
      : (start.sine - end.sine) * (start.sine + end.sine)
    let meridional = departure.cosine * start.cosine
    arrival.cosine =
      end.cosine == start.cosine && abs(end.sine) == -start.sine
      ? abs(departure.cosine)
      : max(0, meridional * meridional + rest).squareRoot() / end.cosine
    let first = GeodesicSeries.Arc(start.sine, meridional)
    let second = GeodesicSeries.Arc(end.sine, arrival.cosine * end.cosine)
    let series = GeodesicSeries(equatorialCosine: north)
    let arc = first.angle(to: second)
    let difference = series.difference(from: first, to: second, arc: arc)
    let (factor, endFactor) = (start.factor, end.factor)
    distance = Geodesic.polarRadius * series.distance(from: first, to: second, arc: arc)
    reducedLength =
      Geodesic.polarRadius
      * (endFactor * (first.cosine * second.sine) - factor * (first.sine * second.cosine)
        - first.cosine * second.cosine * difference)
    let product = first.cosine * second.cosine
    scale =
      product + endFactor / factor * first.sine * second.sine
      - first.sine * second.cosine * difference / factor
    scaleBack =
      product + factor / endFactor * first.sine * second.sine
      + first.cosine * second.sine * difference / endFactor
    // Longitudes on the auxiliary sphere, and their difference.
    let eastward =
      max(0, first.cosine * (east * second.sine) - east * first.sine * second.cosine) + 0
    let along = first.cosine * second.cosine + east * first.sine * (east * second.sine)
    let excess = atan2(eastward * cosine - along * sine, along * cosine + eastward * sine)
    return excess - WGS84.flattening * east * series.lag(from: first, to: second, arc: arc)
  }
}

extension GeodesicSeries.Arc {
  fileprivate func turned(by angle: Double) -> Self {
    let (s, c) = (sin(angle), cos(angle))
    return Self(sine * c + cosine * s, cosine * c - sine * s)
  }

  /// Whether this direction is south of `low` and north of `high`, and to the east.
  fileprivate func isBetween(_ low: Self, _ high: Self) -> Bool {
    sine > 0 && cosine * low.sine < low.cosine * sine && cosine * high.sine > high.cosine * sine
  }
}
