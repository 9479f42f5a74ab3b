import GPSDProtocol
import LocationCore
import LocationTestKit
import Testing

@Suite struct `A TPV report` {
  @Test(arguments: LocationFix.Quantity.allCases)
  func `gives every number under its own name`(quantity: LocationFix.Quantity) throws {
    let tpv = try #require(tpvReport(#""mode":3,"lat":2,"lon":3,"\#(quantity)":1"#))
    // The number of satellites, for example, is in another report, as is the heading.
    let isRead = TPV.reported.contains(quantity)
    #expect(isRead == ![.sky, .attitude].contains(quantity.row.group))
    for other in LocationFix.Quantity.allCases {
      #expect(tpv[other] == (other == quantity && isRead ? 1 : nil), "\(other)")
    }
    #expect((tpv.mode, tpv.lat, tpv.lon) == (.fix3D, 2, 3))
    let fix = try #require(LocationFix(tpv))
    for other in LocationFix.Quantity.allCases { #expect(fix[other] == tpv[other], "\(other)") }
  }

  @Test func `is read as gpsd writes it`() throws {
    let line = """
      {"class":"TPV","device":"/dev/pts/1","status":2,"mode":3,"time":"2019-03-28T16:45:18.990Z",\
      "leapseconds":18,"ept":0.005,"lat":48.149975000,"lon":11.584778333,"altHAE":509.1000,\
      "altMSL":462.9000,"alt":462.9000,"epx":5.207,"track":0.0000,"magvar":-3.0,"datum":"WGS84",\
      "ecefpAcc":13.41,"geoidSep":46.200,"dgpsSta":132,"jam":7,"ant":1,"antPwr":1}\r\n
      """
    guard case .tpv(let tpv) = report(line) else {
      Issue.record("no TPV")
      return
    }
    #expect(tpv.device == "/dev/pts/1")
    #expect(tpv[.status] == 2)
    #expect(tpv.mode == .fix3D)
    #expect(tpv.time == Timestamp(secondsSince1970: 1_553_791_518, nanoseconds: 990_000_000))
    #expect(tpv[.leapseconds] == 18)
    #expect(tpv.lat == 48.149975)
    #expect(tpv.lon == 11.584778333)
    #expect(tpv[.altHAE] == 509.1)
    #expect(tpv[.altMSL] == 462.9)
    #expect(tpv[.epx] == 5.207)
    #expect(tpv[.track] == 0)
    #expect(tpv[.magvar] == -3)
    #expect(tpv.datum == "WGS84")
    #expect(tpv[.ecefpAcc] == 13.41)
    #expect(tpv[.dgpsSta] == 132)
    #expect((tpv[.jam], tpv[.ant], tpv[.antPwr]) == (7, 1, 1))
    #expect(tpv[.speed] == nil)
  }

  /// libgps takes numbers as times; gpsd 3.22 to 3.27 write text.
  @Test(
    arguments: [
      ("1553791518", 1_553_791_518, 0), ("1553791518.99", 1_553_791_518, 990_000_000),
      ("1553791518.990000001", 1_553_791_518, 990_000_001), ("0", 0, 0), ("0.5", 0, 500_000_000),
      ("1553791518.9999999999", 1_553_791_518, 999_999_999), ("1.553791518e9", 1_553_791_518, 0),
      ("1553791518.25e0", 1_553_791_518, 250_000_000), ("9223372035.5", 9_223_372_035, 500_000_000),
      ("15537915185e-1", 1_553_791_518, 500_000_000), ("14e-10", 0, 1), ("16e-10", 0, 2),
      // A second is not rounded up.
      ("9.9999999999e-1", 0, 999_999_999),
    ] as [(String, Int64, Int32)])
  func `has a time that is a number of seconds`(
    number: String, seconds: Int64, nanoseconds: Int32
  ) throws {
    let tpv = try #require(tpvReport(#""time":\#(number),"mode":3"#))
    #expect(tpv.time == Timestamp(secondsSince1970: seconds, nanoseconds: nanoseconds))
    #expect(tpv.mode == .fix3D)
  }

  @Test(arguments: [
    "-1", "-0.5", "9223372036", "1e300", "123456789012345678901234567890", "1e999", "true", "null",
    "[1553791518]", "{\"s\":1}", "-1e-999",
  ])
  func `has no time where none can be meant`(value: String) throws {
    let tpv = try #require(tpvReport(#""time":\#(value),"mode":3"#))
    #expect(tpv.time == (value == "-1e-999" ? Timestamp(secondsSince1970: 0) : nil))
    #expect(tpv.mode == .fix3D)
  }

  @Test(arguments: [
    (#""mode":0"#, TPV.Mode.unknown), (#""mode":1"#, .noFix), (#""mode":2"#, .fix2D),
    (#""mode":3"#, .fix3D), (#""mode":4"#, .unknown), (#""mode":99"#, .unknown),
    (#""mode":-1"#, .unknown), (#""mode":2.5"#, .unknown), (#""mode":"3""#, .unknown),
    (#""mode":1e2147483648"#, .unknown), (#""ept":1"#, .unknown), (#""mode":null"#, .unknown),
  ])
  func `has a mode only where it is one of four`(members: String, mode: TPV.Mode) throws {
    #expect(try #require(tpvReport(members)).mode == mode)
  }

  @Test(arguments: [
    #""lat":91"#, #""lat":-90.0000001"#, #""lat":1e999"#, #""lat":-1e2147483648"#,
    #""lat":"48.1""#, #""lat":null"#, #""lat":true"#, #""lat":[48.1]"#, #""lat":{"lat":48.1}"#,
    #""nested":{"lat":48.1}"#, #""list":[{"lat":48.1}]"#, #""Lat":48.1"#, #""lat ":48.1"#,
    #""lat\u0000":48.1"#, #""l\nat":48.1"#,
  ])
  func `has no latitude where it is none`(members: String) throws {
    let tpv = try #require(tpvReport(#""mode":3,\#(members),"lon":11.5"#))
    #expect(tpv.lat == nil)
    #expect(tpv.lon == 11.5)
    #expect(LocationFix(tpv) == nil)
  }

  @Test(arguments: [
    ("lon", "180.1"), ("lon", "-181"), ("track", "-1"), ("track", "360.5"), ("magtrack", "-0.1"),
    ("dgpsAge", "-1"), ("dgpsSta", "-1"), ("jam", "256"), ("jam", "-1"),
    ("eph", "1e999"), ("speed", "-1e400"),
  ])
  func `has no number that cannot be`(name: String, value: String) throws {
    let tpv = try #require(tpvReport(#""mode":3,"\#(name)":\#(value)"#))
    var expected = TPV()
    expected.mode = .fix3D
    #expect(tpv == expected)
  }

  @Test(arguments: [
    ("lat", "90"), ("lat", "-90"), ("lon", "180"), ("lon", "-180"), ("track", "0"),
    ("track", "360"), ("dgpsAge", "0"), ("jam", "255"), ("lat", "1e-400"),
  ])
  func `has the numbers at the edge of their range`(name: String, value: String) throws {
    let tpv = try #require(tpvReport(#""\#(name)":\#(value)"#))
    let quantity = LocationFix.Quantity.allCases.first { "\($0)" == name }
    let number = quantity.map { tpv[$0] } ?? (name == "lat" ? tpv.lat : tpv.lon)
    #expect(number == Double(value))
  }

  @Test func `leaves nothing for the next one`() {
    var decoder = GPSDDecoder()
    #expect(
      decoder.decode(#"{"class":"TPV","device":"/dev/a","datum":"X","mode":3,"lat":1,"lon":2}"#)
        == .tpv)
    #expect(decoder.decode(#"{"class":"TPV","mode":1}"#) == .tpv)
    #expect(decoder.tpv.device == nil)
    #expect(decoder.tpv.datum == nil)
    #expect(decoder.tpv.lat == nil)
    #expect(decoder.tpv.mode == .noFix)
  }

  @Test(arguments: [
    (#"{"mode":3,"lat":1,"class":"TPV","lon":2}"#),
    (#"{"mode":3,"lat":1,"lon":2,"class":"TPV"}"#),
    (#"{"cl\u0061ss":"TPV","mode":3,"lat":1,"lon":2}"#),
    (#"{"class":"\u0054PV","m\u006fde":3,"l\u0061t":1,"lon":2}"#),
    (" {\t\"class\" : \"TPV\" ,\r\"mode\" : 3 , \"lat\" :1 , \"lon\":2 } \r\n"),
    (#"{"x":{"class":"SKY","lat":9},"class":"TPV","mode":3,"lat":1,"lon":2}"#),
  ])
  func `is found wherever its class is, and however it is spelled`(line: String) {
    var decoder = GPSDDecoder()
    #expect(decoder.decode(line) == .tpv)
    #expect(decoder.tpv.mode == .fix3D)
    #expect(decoder.tpv.lat == 1)
    #expect(decoder.tpv.lon == 2)
  }

  @Test func `is read right whatever order the one before had`() {
    let members = [#""mode":3"#, #""lat":1"#, #""leapseconds":18"#, #""alt":7"#, #""ecefvAcc":4"#]
    var generator = SeededRandom(seed: 1)
    var decoder = GPSDDecoder()
    for _ in 0..<500 {
      let chosen = members.shuffled(using: &generator).prefix(.random(in: 1...5, using: &generator))
      #expect(decoder.decode(#"{"class":"TPV",\#(chosen.joined(separator: ","))}"#) == .tpv)
      #expect(decoder.tpv.mode == (chosen.contains(members[0]) ? .fix3D : .unknown))
      #expect(decoder.tpv.lat == (chosen.contains(members[1]) ? 1 : nil))
      #expect(decoder.tpv[.leapseconds] == (chosen.contains(members[2]) ? 18 : nil))
      #expect(decoder.tpv[.ecefvAcc] == (chosen.contains(members[4]) ? 4 : nil))
    }
  }
}
