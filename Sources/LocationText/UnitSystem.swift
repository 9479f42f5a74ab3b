/// The units of text. Machine formats always use SI units.
package enum UnitSystem: String, CaseIterable, Sendable {
  /// Metres and kilometres per hour.
  case metric
  /// Feet and miles per hour.
  case imperial
  /// Feet and knots.
  case nautical

  package func length(_ metres: Double) -> Double {
    self == .metric ? metres : metres / 0.3048
  }

  package func speed(_ metresPerSecond: Double) -> Double {
    switch self {
    case .metric: metresPerSecond * 3.6
    case .imperial: metresPerSecond * 3600 / 1609.344
    case .nautical: metresPerSecond * 3600 / 1852
    }
  }

  package var lengthName: String { self == .metric ? "m" : "ft" }

  package var speedName: String {
    switch self {
    case .metric: "km/h"
    case .imperial: "mph"
    case .nautical: "kn"
    }
  }
}
