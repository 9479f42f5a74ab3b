import GPSDLocation
import Glibc
import LocationCore
import LocwatchTestSupport
import TestSupport
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct ForeignFileTests {
  @Test(arguments: [
    ("$GPGGA,070500.00", ForeignFile.nmea), ("$GPRMC,,V", .nmea), ("!AIVDM,1,1,,A", .nmea),
    ("$PUBX,00", .nmea), ("\u{FEFF}$GNGSA,A", .nmea), ("  $GPVTG,1", .nmea),
    ("$5 off", .unknown), ("$gpgga,1", .unknown), ("$,", .unknown), ("!", .unknown),
    ("$GPGGA", .unknown), ("$GPGGA,", .nmea), ("$AB,1", .unknown), ("$ABC,1", .nmea),
    ("$ABCDEFGHIJ09,1", .nmea), ("$ABCDEFGHIJKLM,1", .unknown), ("$AZ9,1", .nmea),
    ("$AZ:,1", .unknown), ("$A[C,1", .unknown), ("$A@C,1", .unknown), ("$A/C,1", .unknown),
    ("TIME,LAT", .unknown), ("*GPGGA,1", .unknown),
    ("<?xml version='1.0'?><gpx>", .gpx), ("<gpx>", .gpx), ("<kml>", .xml),
    (#"{"type":"fix"}"#, .records),
    (#"1795158300.123456: {"class":"TPV"}"#, .stampedJSON),
    (#"2026-11-20T07:05:00Z: {"class":"TPV"}"#, .stampedJSON),
    (#"{"mode":3,"x":{"class":"TPV"}"#, .unknown), ("{}", .unknown), ("[]", .unknown),
    ("", .unknown), ("time,lat,lon", .unknown),
  ])
  func `A first line shows what wrote it`(line: String, file: ForeignFile) {
    #expect(ForeignFile(Array(line.utf8)) == file)
  }

  @Test(arguments: [
    ([0x1F, 0x8B, 0x08] as [UInt8], ForeignFile.gzip), ([0xB5, 0x62, 0x01], .ubx),
    ([0x1F], .unknown), ([0xFF, 0xFE, 0x00], .unknown),
  ])
  func `The first bytes show it, too`(bytes: [UInt8], file: ForeignFile) {
    #expect(ForeignFile(bytes) == file)
  }
}

@Suite struct ReplayStatusTests {
  @Test(arguments: [
    (41_234_567, 72_700_000, 1073, "41.2 of 72.7 MB, 56 %, 38.4 MB/s, 1 s left"),
    (1_000, 1_000_000_000, 2000, "0.0 of 1.0 GB, 0 %, 0.5 kB/s, 556 h left"),
    (12_000, 24_600, 4000, "12.0 of 24.6 kB, 48 %, 3.0 kB/s, 5 s left"),
    (30_000_000, 3_000_000_000, 10_000, "0.0 of 3.0 GB, 1 %, 3.0 MB/s, 17 min left"),
    (24_600, 24_600, 2000, "24.6 of 24.6 kB, 100 %, 12.3 kB/s"),
    // The file grew meanwhile.
    (30_000, 24_600, 2000, "30.0 of 24.6 kB, 100 %, 15.0 kB/s"),
    (0, 24_600, 1000, "0.0 of 24.6 kB, 0 %, 0.0 kB/s"),
    (25_300_000, nil, 10_000, "25.3 MB, 2.5 MB/s"),
    (0, 0, 0, "0.0 kB, 0.0 kB/s"),
  ])
  func `The progress of a replay is in words`(
    said: Int, size: Int?, milliseconds: Int, message: String
  ) {
    let status = ReplayStatus(said: said, size: size, elapsed: .milliseconds(milliseconds))
    #expect(status.message == message)
  }
}

@Suite(.timeLimit(.minutes(3))) struct ReplayedStreamTests {
  @Test(arguments: [([0xB5, 0x62, 0x0A], true), (Array("{\"class\":\"TPV\"}\n".utf8), false)])
  func `A stream is recognised by its first line, however late it arrives`(
    line: [UInt8], isRaw: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    try #require(chmod(folder.write("", to: "gpsd"), 0o755) == 0)
    let pipe = FedPipe("pipe", in: folder)
    let replay = Task { [path = FilePath(pipe.path), programs = folder.path] in
      try await ReplayFile(path, inspectsStream: true, environment: ["PATH": programs])
    }
    #expect(await comes { descriptors(of: pipe.path) > 1 })
    pipe.feed(line)
    switch try await replay.value {
    case .raw: #expect(isRaw)
    case .recording: #expect(!isRaw)
    }
  }
}
