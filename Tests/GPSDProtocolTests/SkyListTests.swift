import LocationCore
import Testing

@testable import GPSDProtocol

@Suite struct `A decoder that keeps no satellites` {
  private static let line =
    #"{"class":"SKY","device":"a","hdop":1.3,"satellites":[{"PRN":1,"ss":30.5,"used":true},"#
    + #"{"PRN":2,"ss":41,"used":false},{"ss":50,"used":true}]}"#

  @Test(arguments: [true, false]) func `counts those that it would list`(keeps: Bool) {
    var decoder = GPSDDecoder(keepsSatellites: keeps)
    #expect(decoder.decode(Array(Self.line.utf8).span) == .sky)
    let view = SkyView(decoder.sky)
    #expect(view.seen == 2)
    #expect(view.used == 1)
    #expect(view.strongest == 41)
    #expect(view.hdop == 1.3)
    #expect(view.satellites?.map(\.prn) == (keeps ? [1, 2] : nil))
    #expect(decoder.sky.satellites?.count == (keeps ? 2 : nil))
    #expect(decoder.droppedElements == 1)
  }

  @Test(arguments: [
    (#"{"PRN":1,"el": 45.5 , "az" :1e2,"ss": 30 }"#, 1),
    (#"{"PRN":1,"gnssid":-1,"svid":"x","sigid":null,"health":[1,{"a":2}],"el":1e999}"#, 1),
    (#"{"el":1,"PRN":-1}"#, 0), (#"{"el":1,"PRN":"1"}"#, 0), (#"{"PRN":1.5}"#, 0), ("{}", 0),
  ])
  func `reads over what it does not count`(element: String, seen: Int) {
    let line = #"{"class":"SKY","satellites":[\#(element)]}"#
    for keeps in [true, false] {
      var decoder = GPSDDecoder(keepsSatellites: keeps)
      #expect(decoder.decode(Array(line.utf8).span) == .sky)
      #expect(SkyView(decoder.sky).seen == seen)
      #expect(decoder.droppedElements == 1 - seen)
    }
  }

  @Test(arguments: [#""el":.5"#, #""az":1."#, #""gnssid":01"#, #""svid":-"#, #""el":1,"el":2"#])
  func `refuses what it does not count, too`(members: String) {
    let line = #"{"class":"SKY","satellites":[{"PRN":1,\#(members)}]}"#
    for keeps in [true, false] {
      var decoder = GPSDDecoder(keepsSatellites: keeps)
      #expect(decoder.decode(Array(line.utf8).span) == .malformed)
    }
  }

  @Test(arguments: [true, false]) func `counts satellites and signals`(keeps: Bool) {
    let line = #"""
      {"class":"SKY","nSat":5,"uSat":3,"satellites":[\
      {"PRN":5,"ss":38,"used":false,"gnssid":0,"svid":5,"sigid":0},\
      {"PRN":5,"ss":41,"used":true,"gnssid":0,"svid":5,"sigid":4},\
      {"PRN":305,"used":true,"gnssid":2,"svid":5,"sigid":0},\
      {"PRN":305,"used":true,"gnssid":2,"svid":5,"sigid":6},\
      {"PRN":7,"used":false,"gnssid":0,"svid":7,"sigid":0}]}
      """#.replacing("\\\n", with: "")
    var decoder = GPSDDecoder(keepsSatellites: keeps)
    for _ in 1...2 {
      #expect(decoder.decode(Array(line.utf8).span) == .sky)
      let view = SkyView(decoder.sky)
      #expect((view.seen, view.used) == (3, 2))
      #expect((view.signalsSeen, view.signalsUsed) == (5, 3))
      #expect(view.strongest == 41)
    }
  }

  @Test func `takes gpsd's own numbers where there is no list`() {
    var decoder = GPSDDecoder(keepsSatellites: false)
    #expect(decoder.decode(Array(#"{"class":"SKY","nSat":21,"uSat":22}"#.utf8).span) == .sky)
    let view = SkyView(decoder.sky)
    #expect((view.seen, view.used, view.signalsSeen, view.signalsUsed) == (21, 21, 21, 21))
    #expect(decoder.decode(Array(#"{"class":"SKY","uSat":9}"#.utf8).span) == .sky)
    #expect((SkyView(decoder.sky).seen, SkyView(decoder.sky).used) == (nil, 9))
  }

  @Test func `counts nothing of a report without a list`() {
    var decoder = GPSDDecoder(keepsSatellites: false)
    _ = decoder.decode(Array(Self.line.utf8).span)
    #expect(decoder.decode(Array(#"{"class":"SKY","hdop":1.4}"#.utf8).span) == .sky)
    #expect(SkyView(decoder.sky).seen == nil)
    #expect(SkyView(decoder.sky).strongest == nil)
  }

  @Test func `still refuses a list that is not JSON`() {
    var decoder = GPSDDecoder(keepsSatellites: false)
    let line = #"{"class":"SKY","satellites":[{"PRN":1,"el":4.}]}"#
    #expect(decoder.decode(Array(line.utf8).span) == .malformed)
    #expect(SkyView(decoder.sky).seen == nil)
  }
}
