import LocationCore

/// Heights as differences from the first one. It decides what heights are measured from, so that those of two kinds
/// are not mixed.
struct HeightDeviation: Sendable {
  /// What heights are measured from; `nil` before the first one.
  private(set) var datum: Scatter.HeightDatum?
  /// The first height, in metres; 0 before it.
  private(set) var origin = 0.0

  /// Returns how far the height of a fix is above the first one, in metres; `nil` for a 2D fix, and for one without
  /// a height of that kind.
  mutating func deviation(of fix: LocationFix) -> Double? {
    guard fix.mode == .fix3D else { return nil }
    let (altHAE, altMSL) = (fix.altHAE?.ifPlausible, fix.altMSL?.ifPlausible)
    if datum == nil, let height = altHAE ?? altMSL {
      datum = altHAE == nil ? .meanSeaLevel : .ellipsoid
      origin = height
    }
    return (datum == .ellipsoid ? altHAE : altMSL).map { $0 - origin }
  }
}
