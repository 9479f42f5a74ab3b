import LocationCore

/// Heights relative to the first one. The first height decides the datum, so that heights of two datums are
/// not mixed.
struct HeightDeviation: Sendable {
  /// The datum of the heights; `nil` before the first height.
  private(set) var datum: Scatter.HeightDatum?
  /// The first height, in metres; 0 before the first height.
  private(set) var origin = 0.0

  /// Returns how far the height of a fix is above the first height, in metres; `nil` for a 2D fix, and for a
  /// fix without a height above the same datum.
  mutating func deviation(of fix: LocationFix) -> Double? {
    guard fix.mode == .fix3D else { return nil }
    let (altHAE, altMSL) = (fix.ellipsoidalAltitude?.ifPlausible, fix.altitude?.ifPlausible)
    if datum == nil, let height = altHAE ?? altMSL {
      datum = altHAE == nil ? .meanSeaLevel : .ellipsoid
      origin = height
    }
    return (datum == .ellipsoid ? altHAE : altMSL).map { $0 - origin }
  }
}
