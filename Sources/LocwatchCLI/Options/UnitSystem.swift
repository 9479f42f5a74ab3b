/// The units that text is written in. Machine formats are always SI.
package enum UnitSystem: String, CaseIterable, Sendable {
  /// Metres and kilometres per hour.
  case metric
  /// Feet and miles per hour.
  case imperial
  /// Feet and knots.
  case nautical

  /// The unit that `GPSD_UNITS` asks for, as gpsd's own clients take it; `nil` where it asks for
  /// none that is known.
  init?(environment: Environment) {
    self.init(rawValue: environment["GPSD_UNITS"]?.lowercased() ?? "")
  }

  func length(_ metres: Double) -> Double {
    self == .metric ? metres : metres / 0.3048
  }

  func speed(_ metresPerSecond: Double) -> Double {
    switch self {
    case .metric: metresPerSecond * 3.6
    case .imperial: metresPerSecond * 3600 / 1609.344
    case .nautical: metresPerSecond * 3600 / 1852
    }
  }

  var lengthName: String { self == .metric ? "m" : "ft" }

  var speedName: String {
    switch self {
    case .metric: "km/h"
    case .imperial: "mph"
    case .nautical: "kn"
    }
  }
}
