import LocationCore
import Testing

@testable import LocationFormats
@testable import LocationText

@Suite struct `Fields of records` {
  @Test(
    arguments: [
      (nil, 2, ""), (-0.5, 2, ""), (-0.49, 2, "00"), (0, 2, "00"), (9.5, 2, "10"), (99.4, 2, "99"),
      (99.5, 2, "100"), (99.4, 3, "099"), (359.6, 3, "360"), (999.4, 3, "999"), (1000, 3, ""),
      (.nan, 2, ""), (.infinity, 2, ""),
    ] as [(Double?, Int, String)])
  func `of NMEA have digits for whole numbers up to 999`(
    number: Double?, digits: Int, field: String
  ) {
    var output = TextBuffer()
    output.appendSentence("X") { $0.append(field: number, digits: digits) }
    #expect(output.string.hasPrefix("$X,\(field)*"))
  }

  @Test(
    arguments: [
      (nil, ""), (0, "0.0"), (-999_999.94, "-999999.9"), (1e6, ""), (-1e6, ""), (.nan, ""),
      (1.25, "1.3"),
    ] as [(Double?, String)])
  func `of NMEA have numbers below a million`(number: Double?, field: String) {
    var output = TextBuffer()
    output.appendSentence("X") { $0.append(field: number, places: 1) }
    #expect(output.string.hasPrefix("$X,\(field)*"))
  }

  @Test func `of NMEA end with a checksum of two digits`() {
    var output = TextBuffer()
    output.appendSentence("A") { _ in }
    output.appendSentence("A") { $0.append(field: "c") }
    // 0x41, and 0x41 ^ 0x2C ^ 0x63.
    #expect(output.string == "$A*41\r\n$A,c*0E\r\n")
  }

  @Test(
    arguments: [
      (0, 0, nil), (0, 1, 1), (0, 99, 99), (0, 100, nil), (1, 33, 33), (1, 87, 87),
      (1, 88, 1), (1, 120, 33), (1, 158, 71), (6, 1, 65), (6, 32, 96), (6, 33, 33),
      (2, 36, 36), (2, 300, nil), (2, 301, 1), (3, 63, 63), (3, 401, 1), (3, 400, nil),
      (5, 192, nil), (5, 193, 1), (7, 14, 14), (4, 1, nil), (8, 1, nil),
    ] as [(Int, Int, Int?)])
  func `of NMEA number a satellite within its system`(system: Int, number: Int, field: Int?) {
    let sky = NMEASky([
      Satellite(prn: 999, gnssID: system, svID: number, isUsed: true)
    ])
    #expect(sky.used == (field.map { [$0] } ?? []) && sky.satellites.map(\.number) == sky.used)
    #expect(sky.systems.first?.gsv == (system == 1 ? "GPGSV" : sky.systems.first?.gsv))
  }

  @Test func `of NMEA list a satellite with several signals once`() {
    let sky = NMEASky([
      Satellite(prn: 7, gnssID: 0, svID: 7, signalStrength: 30),
      Satellite(prn: 66, gnssID: 6, svID: 2, elevation: 3),
      Satellite(
        prn: 7, gnssID: 0, svID: 7, elevation: 8, azimuth: 9, signalStrength: 40, isUsed: true),
      Satellite(prn: 7, gnssID: 0, svID: 7, elevation: 1, azimuth: 2, signalStrength: 20),
      // The first signal decides the number, and this one has none.
      Satellite(prn: 5, gnssID: 4), Satellite(prn: 5),
    ])
    #expect(sky.systems.map(\.gsv) == ["GPGSV", "GLGSV"])
    #expect(
      sky.systems.map(\.seen) == [0..<1, 1..<2] && sky.systems.map(\.used) == [0..<1, 1..<1])
    #expect(sky.used == [7] && sky.satellites.map(\.number) == [7, 66])
    let first = sky.satellites[0]
    #expect(first.elevation == 8 && first.azimuth == 9 && first.signalStrength == 40)
  }

  @Test(
    arguments: [
      (0, nil), (1, Constellation.gps), (32, .gps), (33, .sbas), (64, .sbas), (65, .glonass),
      (96, .glonass), (97, nil), (119, nil), (120, .sbas), (158, .sbas), (159, nil), (192, nil),
      (193, .qzss), (202, .qzss), (203, nil), (300, nil), (301, .galileo), (336, .galileo),
      (337, nil), (400, nil), (401, .beiDou), (463, .beiDou), (464, nil), (-1, nil),
    ] as [(Int, Constellation?)])
  func `recognise the system of a satellite by its PRN`(prn: Int, system: Constellation?) {
    #expect(Constellation(of: Satellite(prn: prn)) == system)
    #expect(Constellation(of: Satellite(prn: prn, gnssID: 7)) == .navIC)
  }

  @Test func `of a fix have these names and texts`() {
    let time = Timestamp(secondsSince1970: 1_175_843_112)
    var fix = LocationFix(
      coordinate: Coordinate(latitude: 48.118633333, longitude: 11.517333333)!, mode: .fix2D,
      device: "/dev/ttyACM0", time: time)
    fix.received = time.advanced(by: .seconds(1024 * 7 * 86_400))
    fix.isCurrent = false
    fix.timeJump = .seconds(-3.5)
    fix.dateCorrection = 2
    fix.doubts = [.jump, .time]
    fix.speed = 11.524
    let fields: [(field: FixField, name: String, text: String)] = [
      (.device, "device", "/dev/ttyACM0"), (.time, "time", "2007-04-06T07:05:12.000Z"),
      (.unix, "unix", "1175843112"), (.unixms, "unixms", "1175843112000"),
      (.received, "received", "2026-11-20T07:05:12.000Z"), (.age, "age", "619315200.0"),
      (.current, "current", "false"), (.timeJump, "timeJump", "-3.5"),
      (.rollover, "rollover", "1"), (.dateCorrection, "dateCorrection", "2"),
      (.doubt, "doubt", "jump time"), (.mode, "mode", "2"), (.fix, "fix", "2d"),
      (.lat, "lat", "48.118633333"), (.lon, "lon", "11.517333333"),
      (.maidenhead, "maidenhead", "JN58sc28"), (.utm, "utm", "32U 687344.337 5332551.051"),
      (.mgrs, "mgrs", "32UPU8734432551"), (.speedInKnots, "speed:kn", "22.401"),
      (.speedInKilometresPerHour, "speed:kmh", "41.486"),
    ]
    let own = FixField.allCases.filter { if case .quantity = $0 { false } else { true } }
    #expect(fields.map { $0.field } == own)
    // A position without anything else has only these.
    let known: [FixField] = [.current, .mode, .fix, .lat, .lon, .maidenhead, .utm, .mgrs]
    let bare = LocationFix(coordinate: fix.coordinate, mode: .fix3D)
    for (field, name, text) in fields {
      var (output, other) = (TextBuffer(), TextBuffer())
      let isKnown = output.append(field, of: fix)
      #expect(isKnown && output.string == text, "\(name)")
      #expect(field.name == name)
      let isKnownOfOther = other.append(field, of: bare)
      #expect(isKnownOfOther == known.contains(field), "\(name)")
      #expect(other.string.isEmpty != isKnownOfOther)
    }
  }

  @Test(
    arguments: [
      (-500_000_000, "-1", "-500", "235959.500", "311269"), (0, "0", "0", "000000.000", "010170"),
      (1_999_999_999, "1", "1999", "000001.999", "010170"),
      (.min, "-9223372037", "-9223372036855", "001243.145", "210977"),
      (.max, "9223372036", "9223372036854", "234716.854", "110462"),
    ] as [(Int64, String, String, String, String)])
  func `of times are rounded down`(
    nanoseconds: Int64, seconds: String, milliseconds: String, clock: String, date: String
  ) {
    let time = Timestamp(nanosecondsSince1970: nanoseconds)
    let fix = LocationFix(
      coordinate: Coordinate(latitude: 0, longitude: 0)!, mode: .fix2D, time: time)
    for (field, text) in [(FixField.unix, seconds), (.unixms, milliseconds)] {
      var output = TextBuffer()
      #expect(output.append(field, of: fix) && output.string == text)
    }
    var output = TextBuffer()
    output.append(timeOf: time)
    output.append(dateOf: time)
    #expect(output.string == ",\(clock),\(date)")
  }
}
