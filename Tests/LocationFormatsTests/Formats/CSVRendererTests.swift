import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats

@Suite struct CSVRendererTests {
  @Test func `The default columns are gpscsv's columns and the receiver`() {
    var renderer = CSVRenderer()
    #expect(renderer.begin() == "time,lat,lon,altHAE,device\r\n")
    #expect(renderer.state(Samples.lost) == "")
    #expect(
      renderer.fix(Samples.fix)
        == "2026-11-20T07:05:12.000Z,48.118633333,11.517333333,592.3,/dev/ttyACM0\r\n")
    #expect(renderer.fix(Samples.position(0, -0.0, device: nil)) == ",0.0,-0.0,,\r\n")
    #expect(renderer.end() == "")
  }

  @Test func `Other columns are written in the requested order`() {
    var renderer = CSVRenderer(columns: FixField.allCases)
    #expect(renderer.begin() == FixField.allCases.map(\.name).joined(separator: ",") + "\r\n")
    let cells = [
      "device": "/dev/ttyACM0", "time": "2026-11-20T07:05:12.000Z", "unix": "1795158312",
      "unixms": "1795158312000", "received": "2026-11-20T07:05:12.310Z", "age": "0.31",
      "current": "true", "mode": "3", "fix": "3d", "lat": "48.118633333", "lon": "11.517333333",
      "altMSL": "545.4", "altHAE": "592.3", "geoidSep": "46.9", "speed": "11.524", "track": "84.4",
      "climb": "0.02", "accuracy": "24.7", "epx": "14.1", "epy": "20.3", "epv": "48.3",
      "satsUsed": "8", "satsSeen": "12", "hdop": "1.3", "maidenhead": "JN58sc28",
      "utm": "32U 687344.337 5332551.051", "mgrs": "32UPU8734432551", "speed:kn": "22.401",
      "speed:kmh": "41.486",
    ]
    let line = FixField.allCases.map { cells[$0.name] ?? "" }.joined(separator: ",")
    #expect(renderer.fix(Samples.fix) == line + "\r\n")
    #expect(cells.keys.allSatisfy { FixField(name: $0) != nil })
  }

  @Test(arguments: [
    ("/dev/ttyACM0", "/dev/ttyACM0"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""),
    ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("a=1", "a=1"),
    ("a\nb", #"a\u{a}b"#), ("\t=1", #"\u{9}=1"#), ("", ""), ("a;b", "\"a;b\""),
    // Where a semicolon separates, what follows it is a cell.
    (";=1", "\";'=1\""), ("a;+b;c-;-d;@", "\"a;'+b;c-;'-d;'@\""), ("=;=", "\"'=;'=\""),
    (";\"=1", "\";\"\"'=1\""), ("\"=1\"", "\"\"\"'=1\"\"\""),
    (Samples.hostile, #""'=cmd|\u{1b}[2J\u{9b}\u{202e}\u{2028}""</name>&'\u{a},\""#),
  ])
  func `Text cannot break out of its cell, or run as a formula`(device: String, cell: String) {
    var renderer = CSVRenderer(columns: [.device])
    #expect(renderer.fix(Samples.position(1, 2, device: device)) == cell + "\r\n")
  }

  @Test func `Values that few receivers report can be columns`() {
    var fix = Samples.flat
    fix.antenna = .open
    fix.interference = 7
    fix[.wspeedt] = 3.5
    var csv = CSVRenderer(
      columns: [LocationFix.Quantity.ant, .antPwr, .jam, .wspeedt, .temp].map(FixField.quantity))
    #expect(csv.fix(fix) == "open,,7,3.5,\r\n")
  }

  @Test func `A negative number stays a number`() {
    var renderer = CSVRenderer(columns: [.lat, .lon])
    #expect(renderer.fix(Samples.flat) == "-0.5,-71.0\r\n")
  }

  @Test func `A simulated position is marked`() {
    var fix = Samples.flat
    fix.quality = .simulated
    var csv = CSVRenderer(columns: [.lat, .quantity(.status)])
    #expect(csv.fix(fix) == "-0.5,simulated\r\n")
  }
}
