import LocationCore

/// The position of a satellite in a drawing of the sky: a disc of radius 1 with the zenith in the middle,
/// north up and east on the right. The distance from the middle is linear in the elevation.
package struct SkyPosition: Equatable, Sendable {
  /// From -1 in the west to 1 in the east.
  package var x: Double
  /// From -1 in the north to 1 in the south, like the rows of a screen.
  package var y: Double

  /// - Parameters:
  ///   - elevation: In degrees above the horizon. Below it, or above 90, a satellite is not drawn.
  ///   - azimuth: In degrees clockwise from true north.
  package init?(elevation: Double?, azimuth: Double?) {
    guard let elevation, let azimuth, (0...90).contains(elevation), azimuth.isFinite else {
      return nil
    }
    let (sine, cosine) = sineAndCosine(ofDegrees: azimuth)
    let radius = (90 - elevation) / 90
    x = radius * sine
    y = -radius * cosine
  }
}
