#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The two conformal projections of the WGS 84 ellipsoid that the UTM and UPS grids use, before
/// their false origins are added.
///
/// C. F. F. Karney, "Transverse Mercator with an accuracy of a few nanometers", Journal of Geodesy
/// 85, 2011. The error is below 10 nm within 4,200 km of the central meridian.
enum GridProjection {
  private static let flattening = WGS84.flattening
  private static let eccentricity = (flattening * (2 - flattening)).squareRoot()
  private static let thirdFlattening = flattening / (2 - flattening)

  /// Returns metres east of the central meridian and north of the equator: the transverse Mercator
  /// projection by the series of Krüger, to the sixth order (Karney's equations 7 to 12 and 35).
  ///
  /// - Parameters:
  ///   - latitude: Degrees north, -90 to 90.
  ///   - longitude: Degrees east of the central meridian, -90 to 90.
  ///   - scale: The scale on the central meridian.
  static func transverseMercator(
    latitude: Double, longitude: Double, scale: Double
  ) -> (east: Double, north: Double) {
    let (sine, cosine) = sineAndCosine(ofDegrees: longitude)
    let tangent = conformalTangent(ofDegrees: latitude)
    let north = atan2(tangent, cosine)
    let east = asinh(sine / hypot(tangent, cosine))
    var sum = (east: east, north: north)
    for index in krueger.indices {
      let multiple = Double(2 * (index + 1))
      sum.north += krueger[index] * sin(multiple * north) * cosh(multiple * east)
      sum.east += krueger[index] * cos(multiple * north) * sinh(multiple * east)
    }
    return (scale * rectifyingRadius * sum.east, scale * rectifyingRadius * sum.north)
  }

  /// Returns metres from the nearer pole: the polar stereographic projection.
  ///
  /// - Parameters:
  ///   - latitude: Degrees north, -90 to 90.
  ///   - longitude: Degrees east of Greenwich, -180 to 180.
  ///   - scale: The scale at the pole.
  /// - Returns: `east` along the meridian of 90 degrees east. `north` is along that of 180 degrees
  ///   in the northern hemisphere, and along that of Greenwich in the southern.
  static func polarStereographic(
    latitude: Double, longitude: Double, scale: Double
  ) -> (east: Double, north: Double) {
    let tangent = conformalTangent(ofDegrees: latitude.magnitude)
    let unit =
      2 * scale * WGS84.equatorialRadius
      / ((1 - flattening) * exp(eccentricity * atanh(eccentricity)))
    // The tangent of 90 degrees is only nearly infinite.
    let radius = latitude.magnitude == 90 ? 0 : unit / (hypot(1, tangent) + tangent)
    let (sine, cosine) = sineAndCosine(ofDegrees: longitude)
    return (radius * sine, latitude < 0 ? radius * cosine : -radius * cosine)
  }

  /// Returns the tangent of the conformal latitude.
  private static func conformalTangent(ofDegrees latitude: Double) -> Double {
    let (sine, cosine) = sineAndCosine(ofDegrees: latitude)
    let tangent = sine / max(cosine, .leastNormalMagnitude)
    let shift = sinh(eccentricity * atanh(eccentricity * sine))
    return tangent * hypot(1, shift) - shift * hypot(1, tangent)
  }

  /// The radius of the circle with the circumference of a meridian, in metres (equation 14).
  private static let rectifyingRadius =
    WGS84.equatorialRadius / (1 + thirdFlattening)
    * polynomial([1, 0, 0.25, 0, 0.015625, 0, 0.00390625], startingAt: 0)

  /// The coefficients of equation 35.
  private static let krueger = [
    polynomial(
      [1 / 2, -2 / 3, 5 / 16, 41 / 180, -127 / 288, 7891 / 37_800], startingAt: 1),
    polynomial(
      [13 / 48, -3 / 5, 557 / 1440, 281 / 630, -1_983_433 / 1_935_360], startingAt: 2),
    polynomial([61 / 240, -103 / 140, 15_061 / 26_880, 167_603 / 181_440], startingAt: 3),
    polynomial([49_561 / 161_280, -179 / 168, 6_601_661 / 7_257_600], startingAt: 4),
    polynomial([34_729 / 80_640, -3_418_889 / 1_995_840], startingAt: 5),
    polynomial([212_378_941 / 319_334_400], startingAt: 6),
  ]

  /// Returns the sum of ascending powers of the third flattening.
  ///
  /// - Parameter power: The power of the first coefficient.
  private static func polynomial(_ coefficients: [Double], startingAt power: Int) -> Double {
    let sum = coefficients.reversed().reduce(0) { $0 * thirdFlattening + $1 }
    return (0..<power).reduce(sum) { product, _ in product * thirdFlattening }
  }
}

/// Returns the sine and cosine, exactly at multiples of 90 degrees; NaN of a number that is not finite.
package func sineAndCosine(ofDegrees degrees: Double) -> (sine: Double, cosine: Double) {
  // From -180 to 180, so that the number of quarters is an integer of any size.
  let degrees = degrees.remainder(dividingBy: 360)
  guard degrees.isFinite else { return (.nan, .nan) }
  let rest = degrees.remainder(dividingBy: 90) * .pi / 180
  let (sine, cosine) = (sin(rest), cos(rest))
  return switch Int((degrees / 90).rounded(.toNearestOrEven)) & 3 {
  case 0: (sine, cosine)
  case 1: (cosine, -sine)
  case 2: (-sine, -cosine)
  default: (-cosine, sine)
  }
}
