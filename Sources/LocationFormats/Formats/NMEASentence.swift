import LocationCore
import LocationText

/// A sentence of NMEA 0183, built field by field.
struct NMEASentence {
  fileprivate var text = TextBuffer()

  mutating func append(field: String?) {
    text.append(character: ",")
    if let field { text.append(text: field) }
  }

  /// Appends a number, or an empty field if it is unknown or absurd.
  mutating func append(field number: Double?, places: Int) {
    text.append(character: ",")
    guard let number, number.magnitude < 1e6 else { return }
    text.append(number, places: places)
  }

  /// Appends a number that is not negative, rounded, with leading zeros.
  mutating func append(field number: Double?, digits: Int) {
    text.append(character: ",")
    guard let number, number > -0.5, number < 1000 else { return }
    text.append(integer: Int(number.rounded()), digits: max(digits, number >= 99.5 ? 3 : 2))
  }

  /// Appends latitude and longitude with their hemispheres, four fields.
  mutating func append(position: Coordinate) {
    append(angle: position.latitude, digits: 2, hemispheres: "NS")
    append(angle: position.longitude, digits: 3, hemispheres: "EW")
  }

  /// Appends `ddmm.mmmmmm`: a millionth of a minute is 2 mm.
  private mutating func append(angle: Double, digits: Int, hemispheres: String) {
    // Rounding comes before the division, so that the minutes never become 60.
    let units = Int((angle.magnitude * 60_000_000).rounded())
    let (degrees, minutes) = units.quotientAndRemainder(dividingBy: 60_000_000)
    text.append(character: ",")
    text.append(integer: degrees, digits: digits)
    text.append(integer: minutes / 1_000_000, digits: 2)
    text.append(character: ".")
    text.append(integer: minutes % 1_000_000, digits: 6)
    let isNegative = angle < 0 && units > 0
    append(field: String(isNegative ? hemispheres.suffix(1) : hemispheres.prefix(1)))
  }
}

extension TextBuffer {
  /// Appends a sentence with its checksum.
  ///
  /// - Parameters:
  ///   - address: The talker and the type.
  ///   - fill: Appends the fields.
  mutating func appendSentence(_ address: String, _ fill: (inout NMEASentence) -> Void) {
    var sentence = NMEASentence()
    sentence.text.append(text: address)
    fill(&sentence)
    let checksum = sentence.text.bytes.reduce(0, ^)
    append(character: "$")
    append(sentence.text)
    append(text: checksum < 16 ? "*0" : "*")
    append(text: String(checksum, radix: 16, uppercase: true) + "\r\n")
  }
}

extension Timestamp {
  /// `hhmmss.sss`, truncated to the millisecond.
  var nmeaTime: String {
    let milliseconds = millisecondsSince1970.dividedDown(by: 86_400_000).remainder
    let seconds = Int(milliseconds / 1000)
    var text = TextBuffer()
    for part in [seconds / 3600, seconds / 60 % 60, seconds % 60] {
      text.append(integer: part, digits: 2)
    }
    text.append(character: ".")
    text.append(integer: Int(milliseconds % 1000), digits: 3)
    return text.string
  }

  /// `ddmmyy`
  var nmeaDate: String {
    let date = CivilDate(daysSince1970: Int(secondsSince1970.dividedDown(by: 86_400).quotient))
    var text = TextBuffer()
    for part in [date.day, date.month, date.year % 100] { text.append(integer: part, digits: 2) }
    return text.string
  }

  /// `dd`, `mm` and `yyyy`
  var nmeaCivilDate: [String] {
    let date = CivilDate(daysSince1970: Int(secondsSince1970.dividedDown(by: 86_400).quotient))
    return [(date.day, 2), (date.month, 2), (date.year, 4)].map { part, digits in
      var text = TextBuffer()
      text.append(integer: part, digits: digits)
      return text.string
    }
  }
}

/// A satellite with its number in NMEA 0183.
struct NMEASatellite {
  let system: Constellation
  /// Two digits, or three.
  let number: String
  let isUsed: Bool
  let elevation: Double?
  let azimuth: Double?
  let signalStrength: Double?

  /// The systems that have a talker. SBAS satellites are listed with the talker of GPS.
  static let systems: [Constellation] = [.gps, .glonass, .galileo, .beiDou, .qzss, .navIC]

  /// Returns the satellites in a list of signals, without those that have no number in NMEA.
  static func all(in signals: [Satellite]) -> [NMEASatellite] {
    TrackedSatellite.all(in: signals).compactMap { NMEASatellite($0.satellite) }
  }

  private init?(_ satellite: Satellite) {
    guard let system = Constellation(of: satellite), let number = satellite.nmeaNumber(in: system),
      (1...99).contains(number)
    else { return nil }
    self.system = system == .sbas ? .gps : system
    self.number = number < 10 ? "0\(number)" : String(number)
    isUsed = satellite.isUsed
    elevation = satellite.elevation
    azimuth = satellite.azimuth
    signalStrength = satellite.signalStrength
  }
}

extension Satellite {
  /// The number within the system: 33 to 64 for SBAS, 65 to 96 for GLONASS.
  fileprivate func nmeaNumber(in system: Constellation) -> Int? {
    let number = svID ?? prn
    return switch system {
    case .gps: number
    case .sbas: number > 87 ? number - 87 : number
    case .glonass: number <= 32 ? number + 64 : number
    case .galileo: number > 300 ? number - 300 : number
    case .beiDou: number > 400 ? number - 400 : number
    case .qzss: number > 192 ? number - 192 : number
    case .navIC: number
    case .imes: nil
    }
  }
}

extension Constellation {
  fileprivate static let talkers: [Constellation: (talker: String, number: String)] = [
    .gps: ("GP", "1"), .glonass: ("GL", "2"), .galileo: ("GA", "3"), .beiDou: ("GB", "4"),
    .qzss: ("GQ", "5"), .navIC: ("GI", "6"),
  ]

  /// The talker of the system's GSV sentences.
  var nmeaTalker: String { Self.talkers[self]?.talker ?? "GN" }
  /// The system's number at the end of GSA sentences.
  var nmeaNumber: String { Self.talkers[self]?.number ?? "" }
}
