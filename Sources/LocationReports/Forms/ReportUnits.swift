package import LocationText

/// How a report writes lengths and speeds for people.
package struct ReportUnits: Sendable {
  /// A unit of length.
  struct Length: Sendable {
    let name: String
    let symbol: String
    /// The length in metres.
    let metres: Double

    /// Returns a length in this unit, with `places` decimal places.
    func text(_ length: Double, places: Int) -> String {
      Text.rounded(length / metres, places: places)
    }

    static let millimetre = Length(name: "millimetres", symbol: "mm", metres: 0.001)
    static let centimetre = Length(name: "centimetres", symbol: "cm", metres: 0.01)
    static let metre = Length(name: "metres", symbol: "m", metres: 1)
    static let kilometre = Length(name: "kilometres", symbol: "km", metres: 1000)
    static let foot = Length(name: "feet", symbol: "ft", metres: 0.3048)
    static let mile = Length(name: "miles", symbol: "mi", metres: 1609.344)
    static let nauticalMile = Length(name: "nautical miles", symbol: "nmi", metres: 1852)
  }

  package static let metric = ReportUnits(.metric)

  private let system: UnitSystem

  package init(_ system: UnitSystem) { self.system = system }

  /// Metres or feet.
  var height: Length { system == .metric ? .metre : .foot }

  /// The unit of long distances.
  var far: Length {
    switch system {
    case .metric: .kilometre
    case .imperial: .mile
    case .nautical: .nauticalMile
    }
  }

  /// Returns the unit for an error of this length: millimetres below a centimetre, centimetres below a metre,
  /// and metres; in other systems, feet.
  func unit(of length: Double) -> Length {
    guard system == .metric else { return .foot }
    return switch length.magnitude {
    case ..<0.01: .millimetre
    case ..<1: .centimetre
    default: .metre
    }
  }

  /// `1.4 m`, `35.2 cm`, `8.9 mm`: an error.
  func length(_ length: Double) -> String {
    let unit = unit(of: length)
    return "\(unit.text(length, places: 1)) \(unit.symbol)"
  }

  /// `453.0 m`: a height.
  func height(_ height: Double) -> String {
    "\(self.height.text(height, places: 1)) \(self.height.symbol)"
  }

  /// `850 m`, `95.2 km`, `1234 km`: a distance.
  func way(_ length: Double) -> String {
    guard length >= (system == .metric ? 1000 : far.metres / 5) else {
      return "\(height.text(length, places: 0)) \(height.symbol)"
    }
    return "\(far.text(length, places: length / far.metres < 1000 ? 1 : 0)) \(far.symbol)"
  }

  /// `31 km/h`, `4.8 km/h`
  func speed(_ speed: Double) -> String { "\(speedText(speed)) \(system.speedName)" }

  /// A speed without its unit.
  func speedText(_ speed: Double) -> String {
    let number = system.speed(speed)
    return Text.rounded(number, places: number < 9.95 ? 1 : 0)
  }

  /// A speed in the unit of ``speedName``.
  func speedNumber(_ speed: Double) -> Double { system.speed(speed) }

  var speedName: String { system.speedName }
}
