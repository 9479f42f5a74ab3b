import GPSDProtocol
import LocationCore
import Testing

@Suite struct `A SKY report` {
  @Test(arguments: SKY.Quantity.allCases)
  func `gives every number under its own name`(quantity: SKY.Quantity) throws {
    let sky = try #require(skyReport(#""\#(quantity)":2"#))
    for other in SKY.Quantity.allCases {
      #expect(sky[other] == (other == quantity ? 2 : nil), "\(other)")
    }
  }

  @Test func `gives each satellite with all that is known of it`() throws {
    let sky = try #require(
      skyReport(
        """
        "device":"/dev/pts/1","time":"2019-03-28T16:45:18.990Z","hdop":1.30,"nSat":3,"uSat":1,\
        "satellites":[{"PRN":17,"el":77.0,"az":41.0,"ss":13.0,"used":true,"gnssid":6,"svid":17,\
        "sigid":2,"freqid":3,"health":1,"prRes":-1.5,"qual":4,\
        "pr":23456789.125,"prRate":-512.5},{"PRN":18,"used":false},{"PRN":437}]
        """))
    #expect(sky.device == "/dev/pts/1")
    #expect(sky.time == Timestamp(secondsSince1970: 1_553_791_518, nanoseconds: 990_000_000))
    #expect(
      sky.satellites == [
        Satellite(
          prn: 17, gnssID: 6, svID: 17, sigID: 2, elevation: 77, azimuth: 41, signalStrength: 13,
          isUsed: true, health: 1, freqID: 3, trackingQuality: 4, pseudorange: 23_456_789.125,
          pseudorangeRate: -512.5, pseudorangeResidual: -1.5),
        Satellite(prn: 18),
        Satellite(prn: 437),
      ])
    #expect((sky[.nSat], sky[.uSat], sky[.hdop]) == (3, 1, 1.3))
  }

  @Test(arguments: [(-90, 0, 0), (90, 360, 254)] as [(Double, Double, Double)])
  func `gives a satellite's numbers up to the ends of their ranges`(
    elevation: Double, azimuth: Double, strength: Double
  ) {
    let member = #"{"PRN":1,"el":\#(elevation),"az":\#(azimuth),"ss":\#(strength)}"#
    #expect(
      skyReport(#""satellites":[\#(member)]"#)?.satellites == [
        Satellite(
          prn: 1, elevation: elevation, azimuth: azimuth, signalStrength: strength)
      ])
  }

  @Test(arguments: [
    #""el":-91"#, #""el":90.5"#, #""az":-1"#, #""az":361"#, #""ss":-1"#, #""ss":255"#, #""ss":"a""#,
    #""gnssid":-1"#, #""gnssid":1.5"#, #""health":1e99"#, #""svid":9223372036854775808"#,
    #""freqid":-1"#, #""freqid":14"#, #""qual":2.5"#, #""qual":8"#, #""health":3"#, #""pr":"far""#,
    #""prRes":null"#, #""prRate":1e999"#,
    #""used":1"#, #""used":"true""#, #""used":null"#, #""nested":{"el":5,"used":true}"#,
  ])
  func `has no value of a satellite that is invalid`(member: String) throws {
    let sky = try #require(skyReport(#""satellites":[{"PRN":1,\#(member)}]"#))
    #expect(sky.satellites == [Satellite(prn: 1)])
  }

  @Test func `without a list says nothing about satellites`() throws {
    #expect(try #require(skyReport(#""hdop":1"#)).satellites == nil)
    #expect(try #require(skyReport(#""satellites":null"#)).satellites == nil)
    #expect(try #require(skyReport(#""satellites":{"PRN":1}"#)).satellites == nil)
    #expect(try #require(skyReport(#""satellites":[]"#)).satellites == [])
  }

  @Test func `keeps all satellites with a number, and counts the others`() {
    let list = (1...5000).map { #"{"PRN":\#($0)}"# }.joined(separator: ",")
    var decoder = GPSDDecoder()
    #expect(
      decoder.decode(#"{"class":"SKY","satellites":[\#(list),{"el":1},{"PRN":"x"}]}"#) == .sky)
    #expect(decoder.sky.satellites?.map(\.prn) == Array(1...5000))
    #expect(SkyView(decoder.sky).seen == 5000)
    #expect(decoder.droppedElements == 2)
  }

  @Test(arguments: [
    #""satellites":[1]"#, #""satellites":[{"PRN":1}"#, #""satellites":[{"PRN":1,}]"#,
    #""satellites":[{"PRN":1},]"#, #""satellites":[{"PRN":1,"PRN":2}]"#,
  ])
  func `with a broken list is malformed, and leaves no list`(members: String) {
    var decoder = GPSDDecoder()
    #expect(decoder.decode(#"{"class":"SKY","hdop":1,\#(members)}"#) == .malformed)
    #expect(decoder.sky == SKY())
  }

  @Test func `leaves nothing for the next one, and keeps what was kept`() {
    var decoder = GPSDDecoder()
    #expect(decoder.decode(#"{"class":"SKY","hdop":1,"satellites":[{"PRN":1,"el":2}]}"#) == .sky)
    let kept = decoder.sky
    #expect(decoder.decode(#"{"class":"SKY","satellites":[{"PRN":7}]}"#) == .sky)
    #expect(decoder.sky[.hdop] == nil)
    #expect(decoder.sky.satellites == [Satellite(prn: 7)])
    #expect(kept.satellites == [Satellite(prn: 1, elevation: 2)])
  }

  @Test func `of 28 KB is read whole`() throws {
    let list = (1...184).map {
      #"{"PRN":\#($0),"el":45.123456,"az":123.456789,"ss":33.333333,"used":true,"gnssid":0,"svid":1,"#
        + #""sigid":0,"health":1,"prRes":-12.3456789,"qual":4,"more":"xxxxxxxxxx"}"#
    }
    let line = #"{"class":"SKY","satellites":[\#(list.joined(separator: ","))]}"#
    #expect(line.utf8.count > 28 * 1024)
    guard case .sky(let sky) = report(line) else {
      Issue.record("no SKY")
      return
    }
    #expect(sky.satellites?.count == 184)
  }
}
