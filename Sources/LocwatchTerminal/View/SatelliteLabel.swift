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
    let constellation = Constellation(of: satellite)
    let letter = constellation.map { String($0.letter) } ?? "?"
    self.letter = satellite.isUsed ? letter : letter.lowercased()
    number = String(Self.number(of: satellite, constellation))
  }

  /// Returns the number in the system. gpsd's PRNs of the systems after GPS begin at an offset.
  private static func number(of satellite: Satellite, _ constellation: Constellation?) -> Int {
    let number = satellite.svID ?? satellite.prn
    return switch constellation {
    // The PRNs of SBAS begin at 120, or at 33 in NMEA 0183. RINEX subtracts 100 from the former.
    case .sbas where number >= 120: number - 100
    case .sbas where number >= 33 && number <= 64: number - 13
    case .glonass where satellite.svID == nil && number > 64: number - 64
    case .qzss where satellite.svID == nil && number > 192: number - 192
    case .galileo where satellite.svID == nil && number > 300: number - 300
    case .beiDou where satellite.svID == nil && number > 400: number - 400
    default: number
    }
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
      let numbers = [one, other].map { $0.svID ?? $0.prn }
      return (systems[0], numbers[0]) < (systems[1], numbers[1])
    }
  }
}
