import Testing

@testable import LocwatchCLI

@Suite struct ForeignFileTests {
  @Test(arguments: [
    ("$GPGGA,070500.00", ForeignFile.nmea), ("$GPRMC,,V", .nmea), ("!AIVDM,1,1,,A", .nmea),
    ("$PUBX,00", .nmea), ("\u{FEFF}$GNGSA,A", .nmea), ("  $GPVTG,1", .nmea),
    ("$5 off", .unknown), ("$gpgga,1", .unknown), ("$,", .unknown), ("!", .unknown),
    ("$GPGGA", .unknown),
    ("<?xml version='1.0'?><gpx>", .gpx), ("<gpx>", .gpx), ("<kml>", .xml),
    (#"{"type":"fix"}"#, .records),
    (#"1795158300.123456: {"class":"TPV"}"#, .stampedJSON),
    (#"2026-11-20T07:05:00Z: {"class":"TPV"}"#, .stampedJSON),
    (#"{"mode":3,"x":{"class":"TPV"}"#, .unknown), ("{}", .unknown), ("[]", .unknown),
    ("", .unknown), ("time,lat,lon", .unknown),
  ])
  func `A first line tells what wrote it`(line: String, file: ForeignFile) {
    #expect(ForeignFile(Array(line.utf8)) == file)
  }

  @Test(arguments: [
    ([0x1F, 0x8B, 0x08] as [UInt8], ForeignFile.gzip), ([0xB5, 0x62, 0x01], .ubx),
    ([0x1F], .unknown), ([0xFF, 0xFE, 0x00], .unknown),
  ])
  func `So do the first bytes`(bytes: [UInt8], file: ForeignFile) {
    #expect(ForeignFile(bytes) == file)
  }
}
