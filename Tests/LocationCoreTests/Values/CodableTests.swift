import Foundation
import LocationCore
import Testing

@Suite struct `Values are encoded` {
  private let noon = Timestamp(secondsSince1970: 1_795_158_312, nanoseconds: 250_000_000)

  private var fix: LocationFix {
    var fix = LocationFix(
      coordinate: Coordinate(latitude: -33.5, longitude: 151.25)!, mode: .fix3D,
      device: "/dev/ttyACM0", time: noon)
    fix.received = noon.advanced(by: .milliseconds(100))
    fix.isCurrent = false
    fix.timeJump = .seconds(-3600)
    fix.satellitesUsed = 7
    fix.satellitesSeen = 12
    fix.altMSL = 408.5
    fix.eph = 4.5
    fix[.dgpsAge] = 2
    return fix
  }

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decoded<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws
    -> Value
  {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  @Test func `a fix by the names of gpsd_json(5), and back`() throws {
    let text = try json(fix)
    #expect(
      text
        == #"{"accuracy":4.5,"age":0.1,"altMSL":408.5,"current":false,"device":"/dev/ttyACM0","#
        + #""dgpsAge":2,"eph":4.5,"fix":"3d","lat":-33.5,"lon":151.25,"mode":3,"received":"2026-11-20T07:05:12.350Z","#
        + #""satsSeen":12,"satsUsed":7,"time":"2026-11-20T07:05:12.250Z","timeJump":-3600}"#)
    let copy: LocationFix = try decoded(text)
    #expect(copy == fix && copy.received == fix.received)
  }

  @Test func `a fix that locwatch wrote`() throws {
    let fix: LocationFix = try decoded(
      #"{"type":"fix","device":"a","time":"2026-11-20T07:05:12.250Z","mode":2,"fix":"2d","#
        + #""lat":1.5,"lon":2,"accuracy":4.5}"#)
    var expected = LocationFix(
      coordinate: Coordinate(latitude: 1.5, longitude: 2)!, mode: .fix2D, device: "a", time: noon)
    expected.eph = 4.5
    #expect(fix == expected)
  }

  @Test(
    arguments: [
      (#","accuracy":4.5"#, 4.5), (#","accuracy":4.5,"eph":7"#, 7), (#","epx":3,"epy":4"#, nil),
      (#","accuracy":4.5,"epx":3"#, 4.5), (#","accuracy":4.5,"epy":4"#, 4.5),
      (#","accuracy":4.5,"epx":3,"epy":4"#, 4.5), (#","accuracy":5,"epx":3,"epy":4"#, nil),
      (#","accuracy":1.414,"epx":1,"epy":1"#, nil), (#","accuracy":1.413,"epx":1,"epy":1"#, 1.413),
      ("", nil),
    ] as [(String, Double?)])
  func `an accuracy is the error of a fix, unless it follows from others`(
    members: String, eph: Double?
  ) throws {
    let fix: LocationFix = try decoded(#"{"lat":1,"lon":2,"mode":3\#(members)}"#)
    #expect(fix.eph == eph)
  }

  @Test(arguments: [
    #"{"lat":91,"lon":8,"mode":3}"#, #"{"lat":47,"lon":181,"mode":3}"#, #"{"lat":47,"mode":3}"#,
    #"{"lat":47,"lon":8}"#, #"{"lat":47,"lon":8,"mode":1}"#,
    #"{"lat":47,"lon":8,"mode":3,"time":"yesterday"}"#,
  ])
  func `but no fix without a place, a mode and a time that can be`(text: String) {
    #expect(throws: DecodingError.self) { try decoded(text, as: LocationFix.self) }
  }

  @Test func `a place, an instant, a mode, a state and a reason`() throws {
    let place = Coordinate(latitude: -33.5, longitude: 151.25)!
    #expect(try json(place) == #"{"lat":-33.5,"lon":151.25}"#)
    #expect(try decoded(json(place)) == place)
    #expect(throws: DecodingError.self) {
      try decoded(#"{"lat":-91,"lon":0}"#, as: Coordinate.self)
    }
    #expect(try json(noon) == #""2026-11-20T07:05:12.250Z""#)
    #expect(try decoded(json(noon)) == noon)
    #expect(try json([FixMode.fix2D, .fix3D]) == "[2,3]")
    #expect(try json(LocationState.allCases).contains(#""no-daemon""#))
    #expect(try decoded(json(LocationState.allCases)) == LocationState.allCases)
    #expect(try json(LossReason.noFix) == #""no-fix""#)
    #expect(try decoded(json(LossReason.stuck)) == LossReason.stuck)
  }

  @Test func `the sky, its satellites and a receiver`() throws {
    let satellite = Satellite(
      prn: 5, gnssID: 0, svID: 5, sigID: 1, elevation: 45, azimuth: 120, signalStrength: 38.5,
      isUsed: true, health: 1, freqID: 3, trackingQuality: 4, pseudorange: 2.5, pseudorangeRate: -3,
      pseudorangeResidual: 0.5)
    #expect(
      try json(satellite)
        == #"{"PRN":5,"az":120,"el":45,"freqid":3,"gnssid":0,"health":1,"pr":2.5,"prRate":-3,"#
        + #""prRes":0.5,"qual":4,"sigid":1,"ss":38.5,"svid":5,"used":true}"#
    )
    #expect(try decoded(json(satellite)) == satellite)
    let sky = SkyView(device: "a", time: noon, satellites: [satellite], seen: 9, hdop: 1.5)
    #expect(try decoded(json(sky)) == sky)
    #expect(try decoded(json(SkyView())) == SkyView())
    #expect(
      try decoded(#"{"class":"SKY","satellites":[{"PRN":5,"used":true}]}"#, as: SkyView.self).used
        == 1)
    #expect(
      try json(sky)
        == #"{"device":"a","hdop":1.5,"nSat":1,"satellites":[\#(json(satellite))],"#
        + #""satsSeen":9,"satsUsed":1,"strongest":38.5,"time":"2026-11-20T07:05:12.250Z","uSat":1}"#
    )
    let full =
      #"{"device":"a","hdop":1.5,"nSat":3,"pdop":3.5,"satsSeen":2,"satsUsed":1,"strongest":40.5,"#
      + #""time":"2026-11-20T07:05:12.250Z","uSat":2,"vdop":2.5}"#
    #expect(try json(decoded(full, as: SkyView.self)) == full)
    let counted: SkyView = try decoded(#"{"nSat":3,"uSat":2}"#)
    #expect(counted.seen == 3 && counted.used == 2)
    // Of satellites that were counted and not listed.
    let count = SkyView(
      SkyValues(
        device: "a", time: nil, satellites: nil, count: SatelliteCount([satellite]), hdop: nil,
        vdop: nil, pdop: nil))
    let decodedCount: SkyView = try decoded(json(count))
    #expect(decodedCount == count && decodedCount.hashValue == count.hashValue)
    let receiver = Receiver(
      path: "/dev/a", driver: "u-blox", subtype: "M8030", bitsPerSecond: 9600,
      cycle: .milliseconds(100), isActive: false)
    #expect(try decoded(json(receiver)) == receiver)
    #expect(
      try json(receiver)
        == #"{"active":false,"bps":9600,"cycle":0.1,"driver":"u-blox","path":"/dev/a","#
        + #""subtype":"M8030"}"#)
    #expect(try decoded(#"{"path":"a"}"#) == Receiver(path: "a"))
    #expect(try decoded(json(Receiver(path: "a"))) == Receiver(path: "a"))
  }

  @Test func `an instant is read from text, and now is after 2025`() {
    #expect(Timestamp(iso8601: "2026-11-20T07:05:12.25Z") == noon)
    #expect(Timestamp(iso8601: "x2026-11-20T07:05:12.25Zx".dropFirst().dropLast()) == noon)
    #expect(Timestamp(iso8601: "\(noon)") == noon)
    #expect(Timestamp(iso8601: "2026-11-20") == nil)
    #expect(Timestamp.now > Timestamp(secondsSince1970: 1_767_225_600))
  }
}
