import LocationCore
import LocationText

// Sentences of NMEA 0183 and their fields.
extension TextBuffer {
  /// Appends a sentence with its checksum.
  ///
  /// - Parameters:
  ///   - address: The talker and the type.
  ///   - fill: Appends the fields.
  mutating func appendSentence(_ address: String, _ fill: (inout TextBuffer) -> Void) {
    append(character: "$")
    let start = count
    append(text: address)
    fill(&self)
    appendEnd(withChecksumFrom: start)
  }

  mutating func append(field character: Unicode.Scalar) {
    append(upTo: 2) { bytes, end in
      bytes[end] = UInt8(ascii: ",")
      bytes[end + 1] = UInt8(ascii: character)
      end += 2
    }
  }

  /// Appends empty fields.
  mutating func append(emptyFields count: Int) {
    append(upTo: count) { bytes, end in
      for _ in 0..<count {
        bytes[end] = UInt8(ascii: ",")
        end += 1
      }
    }
  }

  /// Appends a number, or an empty field if it is unknown or absurd.
  mutating func append(field number: Double?, places: Int) {
    append(character: ",")
    guard let number, number.magnitude < 1e6 else { return }
    append(number, places: places)
  }

  /// Appends a number that is not negative, rounded, with leading zeros.
  mutating func append(field number: Double?, digits: Int) {
    guard let number, number > -0.5, number < 1000 else { return append(character: ",") }
    // To convert is faster than to round, which calls a function.
    var rounded = Int(number)
    if number - Double(rounded) >= 0.5 { rounded += 1 }
    append(",", integer: rounded, digits: rounded > 99 ? 3 : digits)
  }

  /// Appends an integer of two digits or more.
  mutating func append(count: Int) {
    if count < 100, count >= 0 { return append(",", integer: count, digits: 2) }
    append(character: ",")
    append(integer: count)
  }

  /// Appends latitude and longitude with their hemispheres, four fields.
  mutating func append(position: Coordinate) {
    append(angle: position.latitude, digits: 2, hemispheres: ("N", "S"))
    append(angle: position.longitude, digits: 3, hemispheres: ("E", "W"))
  }

  /// Appends `ddmm.mmmmmm`: a millionth of a minute is 2 mm.
  private mutating func append(
    angle: Double, digits: Int, hemispheres: (positive: Unicode.Scalar, negative: Unicode.Scalar)
  ) {
    // Rounding comes before the division, so that the minutes never become 60.
    let units = Int((angle.magnitude * 60_000_000).rounded())
    let (degrees, rest) = units.quotientAndRemainder(dividingBy: 60_000_000)
    let (minutes, millionths) = rest.quotientAndRemainder(dividingBy: 1_000_000)
    append(",", integer: degrees * 100 + minutes, digits: digits + 2)
    append(".", integer: millionths, digits: 6)
    append(field: angle < 0 && units > 0 ? hemispheres.negative : hemispheres.positive)
  }

  /// Appends `hhmmss.sss`, truncated to the millisecond, or an empty field.
  mutating func append(timeOf time: Timestamp?) {
    guard let time else { return append(character: ",") }
    let milliseconds = Int(time.millisecondsSince1970.dividedDown(by: 86_400_000).remainder)
    let (minutes, rest) = milliseconds.quotientAndRemainder(dividingBy: 60_000)
    let clock = (minutes / 60 * 100 + minutes % 60) * 100 + rest / 1000
    append(",", integer: clock, digits: 6)
    append(".", integer: rest % 1000, digits: 3)
  }

  /// Appends `ddmmyy`, or an empty field.
  mutating func append(dateOf time: Timestamp?) {
    guard let date = time?.nmeaDate else { return append(character: ",") }
    append(",", integer: (date.day * 100 + date.month) * 100 + date.year % 100, digits: 6)
  }

  /// Appends `dd`, `mm` and `yyyy`.
  mutating func append(longDateOf time: Timestamp) {
    let date = time.nmeaDate
    append(",", integer: date.day, digits: 2)
    append(",", integer: date.month, digits: 2)
    append(",", integer: date.year, digits: 4)
  }

  private mutating func appendEnd(withChecksumFrom start: Int) {
    let checksum = bytes[start...].reduce(0, ^)
    append(upTo: 5) { bytes, end in
      bytes[end] = UInt8(ascii: "*")
      bytes[end + 1] = (checksum >> 4).hexDigit
      bytes[end + 2] = (checksum & 15).hexDigit
      bytes[end + 3] = UInt8(ascii: "\r")
      bytes[end + 4] = UInt8(ascii: "\n")
      end += 5
    }
  }
}

extension UInt8 {
  /// The digit for a number below 16.
  fileprivate var hexDigit: UInt8 {
    self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") - 10 + self
  }
}

extension Timestamp {
  fileprivate var nmeaDate: CivilDate {
    CivilDate(daysSince1970: Int(secondsSince1970.dividedDown(by: 86_400).quotient))
  }
}

/// The satellites of a receiver as NMEA 0183 lists them: by system, and each with one number.
struct NMEASky {
  /// A system that has a talker, and the places of its satellites.
  struct System {
    /// The talker and the type of the system's GSV sentences.
    let gsv: String
    /// The system's number at the end of GSA sentences.
    let number: Unicode.Scalar
    let seen: Range<Int>
    let used: Range<Int>
  }

  /// SBAS satellites are listed with the talker of GPS.
  fileprivate static let talkers: [(system: Constellation, gsv: String, number: Unicode.Scalar)] = [
    (.gps, "GPGSV", "1"), (.glonass, "GLGSV", "2"), (.galileo, "GAGSV", "3"),
    (.beiDou, "GBGSV", "4"), (.qzss, "GQGSV", "5"), (.navIC, "GIGSV", "6"),
  ]

  /// The systems with satellites.
  private(set) var systems: [System] = []
  /// All satellites, and the numbers of those that are used, in the order of the systems.
  private(set) var (satellites, used): ([NMEASatellite], [Int]) = ([], [])

  init() {}

  /// - Parameter signals: A list of signals. Satellites without a number in NMEA are left out.
  init(_ signals: [Satellite]) {
    let all = NMEASatellite.all(in: signals)
    satellites.reserveCapacity(all.count)
    used.reserveCapacity(all.count)
    for (number, talker) in Self.talkers.enumerated() {
      let (seenBefore, usedBefore) = (satellites.count, used.count)
      for satellite in all where satellite.talker == number {
        satellites.append(satellite)
        if satellite.isUsed { used.append(satellite.number) }
      }
      guard satellites.count > seenBefore else { continue }
      systems.append(
        System(
          gsv: talker.gsv, number: talker.number, seen: seenBefore..<satellites.count,
          used: usedBefore..<used.count))
    }
  }
}

/// A satellite with its number in NMEA 0183.
struct NMEASatellite {
  private let id: SatelliteID
  /// The place of its system in the list of talkers; `nil` if the satellite has no number in NMEA.
  fileprivate let talker: Int?
  /// From 1 to 99.
  let number: Int
  private(set) var isUsed: Bool
  private(set) var elevation: Double?
  private(set) var azimuth: Double?
  private(set) var signalStrength: Double?

  /// Returns the satellites in a list of signals, as ``TrackedSatellite`` does, in the order of their first signals.
  static func all(in signals: [Satellite]) -> [NMEASatellite] {
    var satellites: [NMEASatellite] = []
    satellites.reserveCapacity(signals.count)
    for index in signals.indices {
      let id = signals[index].id
      if let place = satellites.firstIndex(where: { $0.id == id }) {
        satellites[place].add(signals[index])
      } else {
        satellites.append(NMEASatellite(signals[index], id))
      }
    }
    return satellites
  }

  private init(_ satellite: Satellite, _ id: SatelliteID) {
    self.id = id
    let system = Constellation(of: satellite)
    number = system.flatMap { satellite.nmeaNumber(in: $0) } ?? 0
    let talking = system == .sbas ? .gps : system
    talker =
      (1...99).contains(number) ? NMEASky.talkers.firstIndex { $0.system == talking } : nil
    isUsed = satellite.isUsed
    elevation = satellite.elevation
    azimuth = satellite.azimuth
    signalStrength = satellite.signalStrength
  }

  private mutating func add(_ signal: Satellite) {
    isUsed = isUsed || signal.isUsed
    if let strength = signal.signalStrength {
      signalStrength = max(strength, signalStrength ?? strength)
    }
    elevation = elevation ?? signal.elevation
    azimuth = azimuth ?? signal.azimuth
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
