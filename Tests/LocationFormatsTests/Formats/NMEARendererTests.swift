import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats

@Suite struct NMEARendererTests {
  var renderer = NMEARenderer()

  @Test mutating func `Satellites are numbered as in NMEA, by system`() {
    let used = (1...13).map { Satellite(prn: $0, gnssID: 0, svID: $0, isUsed: true) }
    let others = [
      Satellite(prn: 71, gnssID: 6, svID: 7, elevation: 5.5, azimuth: 7, signalStrength: 9),
      Satellite(prn: 123, gnssID: 1, svID: 123), Satellite(prn: 311, isUsed: true),
      Satellite(prn: 170, gnssID: 4, svID: 1), Satellite(prn: 5, elevation: -1, azimuth: 360),
    ]
    _ = renderer.sky(SkyView(device: Samples.device, satellites: used + others))
    let lines = renderer.fix(Samples.flat).split(separator: "\r\n").map { $0.dropLast(3) }
    #expect(
      lines.dropFirst().dropLast(4) == [
        "$GNGSA,A,2,01,02,03,04,05,06,07,08,09,10,11,12,,,,1",
        "$GNGSA,A,2,13,,,,,,,,,,,,,,,1",
        "$GNGSA,A,2,11,,,,,,,,,,,,,,,3",
        "$GPGSV,4,1,15,01,,,,02,,,,03,,,,04,,,", "$GPGSV,4,2,15,05,,,,06,,,,07,,,,08,,,",
        "$GPGSV,4,3,15,09,,,,10,,,,11,,,,12,,,", "$GPGSV,4,4,15,13,,,,36,,,,05,,360,",
        "$GLGSV,1,1,01,71,06,007,09", "$GAGSV,1,1,01,11,,,",
      ])
    #expect(!renderer.fix(Samples.flat).contains("GSV"))
  }

  @Test(arguments: [
    (FixQuality.gps, "1", "A"), (.dgps, "2", "D"), (.pCode, "3", "P"), (.rtkFixed, "4", "R"),
    (.rtkFloat, "5", "F"), (.deadReckoning, "6", "E"), (.gnssDeadReckoning, "1", "A"),
    (.timeOnly, "7", "M"), (.simulated, "8", "S"),
  ])
  func `GGA, RMC, VTG and GLL say how a position was computed`(
    quality: FixQuality, number: String, letter: String
  ) {
    var renderer = renderer
    var fix = Samples.flat
    fix.quality = quality
    let lines = renderer.fix(fix).split(separator: "\r\n").map { $0.dropLast(3) }
    #expect(lines[0] == "$GNGGA,070513.000,0030.000000,S,07100.000000,W,\(number),,,,M,,M,,")
    #expect(lines[2] == "$GNRMC,070513.000,A,0030.000000,S,07100.000000,W,,,201126,,,\(letter)")
    #expect(lines[3] == "$GNVTG,,T,,M,,N,,K,\(letter)")
    #expect(lines[5] == "$GNGLL,0030.000000,S,07100.000000,W,070513.000,A,\(letter)")
  }

  @Test(arguments: [(-0.1, "0.1,W"), (0, "0.0,E"), (0.5, "0.5,E"), (12.34, "12.3,E")])
  func `RMC has the variation without its sign, and the side`(degrees: Double, text: String) {
    var renderer = renderer
    var fix = Samples.flat
    fix[.magvar] = degrees
    let lines = renderer.fix(fix).split(separator: "\r\n").map { $0.dropLast(3) }
    #expect(lines[2] == "$GNRMC,070513.000,A,0030.000000,S,07100.000000,W,,,201126,\(text),A")
  }

  @Test
  mutating func `VTG has the course from both norths, HDT and THS the heading, ZDA the whole date`()
  {
    var fix = Samples.position(1, 2, at: Timestamp(secondsSince1970: 946_684_799))
    (fix.course, fix[.magtrack], fix.speed, fix.heading) = (359.96, 4.2, 0.5, 274.07)
    let lines = renderer.fix(fix).split(separator: "\r\n").map { $0.dropLast(3) }
    #expect(
      lines.dropFirst(3) == [
        "$GNVTG,360.0,T,4.2,M,0.97,N,1.80,K,A", "$GNHDT,274.1,T",
        "$GNTHS,274.1,A",
        "$GNZDA,235959.000,31,12,1999,00,00",
        "$GNGLL,0100.000000,N,00200.000000,E,235959.000,A,A",
      ])
    for (quality, mode) in [(FixQuality.deadReckoning, "E"), (.simulated, "S"), (.rtkFixed, "A")] {
      fix.quality = quality
      #expect(renderer.fix(fix).contains("$GNTHS,274.1,\(mode)*"))
    }
    fix.time = Timestamp(iso8601: "2026-02-03T04:05:06Z")
    #expect(renderer.fix(fix).contains("$GNZDA,040506.000,03,02,2026,00,00*"))
    fix.isCurrent = false
    #expect(!renderer.fix(fix).contains("HDT") && !renderer.fix(fix).contains("THS"))
    fix.time = nil
    #expect(!renderer.fix(fix).contains("ZDA"))
  }

  @Test(arguments: [
    (59.999_999_999_9, "6000.000000,N"), (-59.999_999_999_9, "6000.000000,S"),
    (-0.000_000_001, "0000.000000,N"), (90, "9000.000000,N"), (-0.5, "0030.000000,S"),
  ])
  func `No angle has 60 minutes, and zero has no side`(latitude: Double, field: String) {
    var renderer = renderer
    #expect(renderer.fix(Samples.position(latitude, 180)).hasPrefix("$GNGGA,,\(field),18000.0"))
  }

  @Test mutating func `No sentence is longer than NMEA allows`() {
    var fix = Samples.position(-88.5, -178.5, at: Samples.time(0, 0))
    fix.altitude = -1234.567
    fix[.geoidSep] = -46.987
    fix.satellitesUsed = 42
    fix[.hdop] = 9.9
    fix.speed = 51.23
    fix.course = 359.99
    fix[.magvar] = -17.9
    fix[.magtrack] = 359.99
    fix.heading = 359.99
    for line in renderer.fix(fix).split(separator: "\r\n") { #expect(line.utf8.count + 2 <= 82) }
    fix.speed = 1e300
    fix.altitude = 1e300
    for line in renderer.fix(fix).split(separator: "\r\n") { #expect(line.utf8.count + 2 <= 82) }
  }
}
