package import LocationCore

/// A satellite system, with the letter, the shape and the colour that distinguish it in drawings. None of
/// them is the only sign.
package enum Constellation: Int, CaseIterable, Sendable {
  // The raw values are gpsd's gnssid.
  case gps, sbas, galileo, beiDou, imes, qzss, glonass, navIC

  package enum Shape: Sendable {
    case circle, square, diamond, triangleUp, triangleDown, triangleLeft, triangleRight
  }

  /// The system that a satellite belongs to; `nil` if neither its gnssid nor its PRN identifies it.
  package init?(of satellite: Satellite) {
    if let gnssID = satellite.gnssID {
      self.init(rawValue: gnssID)
      return
    }
    // Without a gnssid, gpsd numbers satellites as NMEA 0183 does.
    switch satellite.prn {
    case 1...32: self = .gps
    case 33...64, 120...158: self = .sbas
    case 65...96: self = .glonass
    case 193...202: self = .qzss
    case 301...336: self = .galileo
    case 401...463: self = .beiDou
    default: return nil
    }
  }

  package var name: String {
    switch self {
    case .gps: "GPS"
    case .sbas: "SBAS"
    case .galileo: "Galileo"
    case .beiDou: "BeiDou"
    case .imes: "IMES"
    case .qzss: "QZSS"
    case .glonass: "GLONASS"
    case .navIC: "NavIC"
    }
  }

  /// The letter of RINEX; `-` for IMES, which has none.
  package var letter: Character {
    switch self {
    case .gps: "G"
    case .sbas: "S"
    case .galileo: "E"
    case .beiDou: "C"
    case .imes: "-"
    case .qzss: "J"
    case .glonass: "R"
    case .navIC: "I"
    }
  }

  package var shape: Shape {
    switch self {
    case .gps: .circle
    case .sbas: .square
    case .galileo: .triangleDown
    case .beiDou: .triangleUp
    case .imes, .navIC: .triangleLeft
    case .qzss: .triangleRight
    case .glonass: .diamond
    }
  }

  /// The colour on a terminal as 0xRRGGBB; `nil` for IMES, which is drawn as an outline.
  ///
  /// The palette is by Okabe and Ito, except for the blue, because theirs is too dark on black. The blue of
  /// GPS has a contrast of 5.9:1 on black and 3.6:1 on white. So has the grey of SBAS.
  package var color: UInt32? {
    switch self {
    case .gps: 0x0087FF
    case .sbas: 0x878787
    case .galileo: 0x009E73
    case .beiDou: 0xCC79A7
    case .imes: nil
    case .qzss: 0xE69F00
    case .glonass: 0xD55E00
    case .navIC: 0x56B4E9
    }
  }
}

extension Satellite {
  /// The number in the satellite's system, as in RINEX; the PRN if the system is unknown.
  package var numberInSystem: Int {
    let number = svID ?? prn
    return switch Constellation(of: self) {
    // The PRNs of SBAS begin at 120, or at 33 in NMEA 0183. RINEX subtracts 100 from the former.
    case .sbas where number >= 120: number - 100
    case .sbas where number >= 33 && number <= 64: number - 13
    case .glonass where svID == nil && number > 64: number - 64
    case .qzss where svID == nil && number > 192: number - 192
    case .galileo where svID == nil && number > 300: number - 300
    case .beiDou where svID == nil && number > 400: number - 400
    default: number
    }
  }
}
