import LocationCore
import Testing

@testable import LocwatchCLI

@Suite struct CSVRendererTests {
  @Test func `The default columns are those of gpscsv`() {
    var renderer = CSVRenderer()
    #expect(renderer.begin() == "time,lat,lon,altHAE\r\n")
    #expect(renderer.state(Samples.lost) == "")
    #expect(
      renderer.fix(Samples.fix) == "2026-11-20T07:05:12.000Z,48.118633333,11.517333333,592.3\r\n")
    #expect(renderer.fix(Samples.position(0, -0.0)) == ",0.0,-0.0,\r\n")
    #expect(renderer.end() == "")
  }

  @Test func `Other columns are written in the order that was asked for`() {
    var renderer = CSVRenderer(columns: FixField.allCases)
    #expect(renderer.begin() == FixField.allCases.map(\.rawValue).joined(separator: ",") + "\r\n")
    #expect(
      renderer.fix(Samples.fix)
        == "/dev/ttyACM0,2026-11-20T07:05:12.000Z,2026-11-20T07:05:12.310Z,0.31,true,,3,3d,"
        + "48.118633333,11.517333333,545.4,592.3,46.9,11.524,84.4,0.02,24.7,14.1,20.3,48.3,8,12,"
        + "1.3,,,,,,,,,,,,,,JN58sc28\r\n")
  }

  @Test(arguments: [
    ("/dev/ttyACM0", "/dev/ttyACM0"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""),
    ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("a=1", "a=1"),
    ("a\nb", #"a\u{a}b"#), ("\t=1", #"\u{9}=1"#), ("", ""),
    (Samples.hostile, #""'=cmd|\u{1b}[2J\u{9b}\u{202e}\u{2028}""</name>&'\u{a},\""#),
  ])
  func `Text cannot break out of its cell, nor run`(device: String, cell: String) {
    var renderer = CSVRenderer(columns: [.device])
    #expect(renderer.fix(Samples.position(1, 2, device: device)) == cell + "\r\n")
  }

  @Test func `A negative number stays a number`() {
    var renderer = CSVRenderer(columns: [.lat, .lon])
    #expect(renderer.fix(Samples.flat) == "-0.5,-71.0\r\n")
  }
}
