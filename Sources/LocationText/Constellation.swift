package import LocationCore

/// A satellite system, as it is drawn: a letter, a shape and a colour, so that none of them is the
/// only sign.
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
    // gpsd's numbering of satellites without a gnssid, which is that of NMEA 0183.
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

  /// The colour on a terminal as 0xRRGGBB; `nil` for IMES, which is an outline.
  ///
  /// The palette is that of Okabe and Ito, except for their blue, which is too dark on black: that of GPS has
  /// a contrast of 5.9:1 on black and 3.6:1 on white. So has the grey of SBAS.
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
