import LocationCore
import LocationFormats
import LocationText

/// The name of a satellite in a drawing: the letter of its system and its number in the system, as in RINEX.
/// The letter of an unused satellite is lower case, so that it can be distinguished without colour.
struct SatelliteLabel: Equatable, Sendable {
  let letter: String
  let number: String

  var text: String { letter + number }

  init(_ satellite: Satellite) {
    let letter = Constellation(of: satellite).map { String($0.letter) } ?? "?"
    self.letter = satellite.isUsed ? letter : letter.lowercased()
    number = String(satellite.numberInSystem)
  }
}

extension CellStyle {
  /// The style of a satellite: the colour of its system, and bold if it is used.
  init(_ satellite: Satellite) {
    self.init(
      weight: satellite.isUsed ? .bold : .normal,
      color: Constellation(of: satellite)?.color.map { .rgb($0) })
  }

  /// The style of a state.
  init(_ state: LocationState) { self.init(weight: .bold, color: .ansi(state.color)) }
}

extension [TrackedSatellite] {
  /// The satellites in the order of system and number, so that each keeps its place while it is in view.
  var inOrder: [Satellite] {
    map(\.satellite).sorted { one, other in
      let systems = [one, other].map { Constellation(of: $0)?.rawValue ?? .max }
      return (systems[0], one.numberInSystem) < (systems[1], other.numberInSystem)
    }
  }
}
