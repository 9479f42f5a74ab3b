import LocationCore
import LocationTestKit
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
  func `skips what it does not count`(element: String, seen: Int) {
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

  /// The members in the order of gpsd 3.22, and values of each that are read in different ways.
  private static let members = [
    ("PRN", ["1", "22", "193", "4294967296", "1.5", "-1", "01"]),
    ("el", ["45.0", "5.25", "-3.0", "90", "91", "1e1", "12.345678"]),
    ("az", ["337.8", "0", "360.5", "-1", "123456.78", "1.", " 7"]),
    ("ss", ["38.0", "0.0", "254", "255", "7", "38.123456789", "\"x\""]),
    ("used", ["true", "false", "null", "1", " true", "tru", "false "]),
    ("gnssid", ["0", "6", "-1", "2.0", "99999999", "null", "3 "]),
    ("svid", ["1", "255", "256", "12345678", "1e0", "{}", "-0"]),
  ]

  /// An element whose members are mostly there, in gpsd's order, with ordinary values.
  private static func element(_ generator: inout SeededRandom) -> String {
    func rarely() -> Bool { Int.random(in: 0..<8, using: &generator) == 0 }
    var members = members.filter { _ in !rarely() }.map { name, values in
      let isOdd = rarely()
      let value =
        isOdd
        ? values.randomElement(using: &generator)!
        : values[Int.random(in: 0...1, using: &generator)]
      return "\"\(name)\":\(value)"
    }
    if rarely() { members.shuffle(using: &generator) }
    if rarely(), let member = members.randomElement(using: &generator) { members.append(member) }
    if rarely() { members.insert(#""qual":4"#, at: members.count / 2) }
    return "{\(members.joined(separator: rarely() ? ", " : ","))}"
  }

  /// A decoder that has read no satellite before reads each one member by member.
  @Test(arguments: [true, false]) func `reads each satellite like the first one`(keeps: Bool) {
    var generator = SeededRandom(seed: 1_602)
    var decoder = GPSDDecoder(keepsSatellites: keeps)
    var kinds: [GPSDDecoder.Kind: Int] = [:]
    for _ in 0..<4_000 {
      let elements = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
        Self.element(&generator)
      }
      let alone = elements.map { report(#"{"class":"SKY","satellites":[\#($0)]}"#) }
      let line = #"{"class":"SKY","satellites":[\#(elements.joined(separator: ","))]}"#
      let kind = decoder.decode(line)
      kinds[kind, default: 0] += 1
      guard !alone.contains(nil) else {
        #expect(kind == .malformed, "\(line)")
        continue
      }
      #expect(kind == .sky, "\(line)")
      let satellites = alone.flatMap { report -> [Satellite] in
        if case .sky(let sky) = report { sky.satellites ?? [] } else { [] }
      }
      if keeps { #expect(decoder.sky.satellites == satellites, "\(line)") }
      #expect(decoder.sky.count == SatelliteCount(satellites), "\(line)")
    }
    #expect(kinds.keys.count == 2 && kinds.values.allSatisfy { $0 > 500 }, "\(kinds)")
  }

  /// What follows a satellite has to be one from its first character to its last.
  @Test(arguments: [
    #"["PRN":2,"ss":1}"#, #" "PRN":2,"ss":1}"#, #"2"PRN":2,"ss":1}"#, #"{"PRN":2,"ss":1]"#,
    #"{"PRN":2,"ss":1,}"#, #"{"PRN":2,"ss":1;"el":1}"#, #"{"PRN":2 "ss":1}"#, #"{"PRN":2,"ss":1"#,
  ])
  func `refuses what is like a satellite`(element: String) {
    for keeps in [true, false] {
      var decoder = GPSDDecoder(keepsSatellites: keeps)
      let first = #"{"class":"SKY","satellites":[{"PRN":1,"ss":1}"#
      #expect(decoder.decode("\(first)]}") == .sky)
      #expect(decoder.decode("\(first),\(element)]}") == .malformed)
    }
  }

  @Test func `still refuses a list that is not JSON`() {
    var decoder = GPSDDecoder(keepsSatellites: false)
    let line = #"{"class":"SKY","satellites":[{"PRN":1,"el":4.}]}"#
    #expect(decoder.decode(Array(line.utf8).span) == .malformed)
    #expect(SkyView(decoder.sky).seen == nil)
  }
}
