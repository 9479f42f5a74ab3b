import Foundation
import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTrait

@Suite(.virtualTime) struct `Updates are encoded` {
  private static let moment = Moment(
    uptime: .seconds(12.5), wall: Timestamp(secondsSince1970: 1_795_158_312))
  private static let error = LocationError(
    .unreachable, systemError: .errno(111), "localhost:2947: connection refused")
  private static let place = Coordinate(latitude: -33.5, longitude: 151.25)!
  private static let fix = LocationFix(
    coordinate: place, mode: .fix3D, device: "a", time: moment.wall, accuracy: 4.5)

  private static var pulse: ServiceReport {
    var pulse = ServiceReport(
      .pps, device: "a", received: moment.wall, clockOffset: .nanoseconds(-1500), text: "{}")
    pulse.sharedMemory = "NTP2"
    return pulse
  }

  private static let events: [LocationEvent] = [
    .service(LocationService(name: "gpsd 3.25")), .receivers([]),
    .receivers([Receiver(path: "a", driver: "u-blox", cycle: .milliseconds(100))]),
    .receiver(Receiver(path: "a", isActive: false)), .removed(path: "a"),
    .refused(path: "a", reason: "No such device"), .fix(fix), .noFix(NoFix()),
    .noFix(NoFix(device: "a", time: moment.wall, isCertain: false, antenna: .open, jam: 7)),
    .noFix(NoFix(isAntennaPowered: true)), .noFix(NoFix(isAntennaPowered: false)),
    .sky(SkyView(device: "a")),
    .other(pulse), .other(ServiceReport(.pps, text: "{}")),
    .corrections(Corrections(.connected, of: "ntrip://a.example:2101/M", base: place)),
    .corrections(Corrections(.lost, of: "ntrip://a.example:2101/M", reason: "silent for 30 s")),
    .disconnected(error, retryIn: .milliseconds(1094)),
    .disconnected(LocationError(.disconnected), retryIn: nil),
    .notice("hello"), .selected("bow", previous: nil), .selected("bow", previous: "stern"),
  ]

  private static let kinds: [ReceiverChange.Kind] = [
    .quality(.rtkFixed, previous: .rtkFloat), .quality(nil, previous: nil),
    .antenna(.open, previous: nil), .jamming(true), .pulses(.lost, previous: .present),
    .selected("bow", previous: "stern"),
    .doubt([.jump, .sky], previous: [], detail: "14.2 km in 1 s"),
    .doubt([], previous: [.jump], detail: nil),
    .corrections(Corrections(.lost, of: "M"), previous: .connected),
    .corrections(Corrections(.connected, of: "M"), previous: nil),
    .region("harbour", .inside, previous: .unknown),
  ]

  private static let updates: [LocationUpdate] =
    events.map(LocationUpdate.event)
    + kinds.map { .change(ReceiverChange($0, at: moment)) }
    + [
      .fix(fix), .state(StateChange(.connecting, at: Moment(uptime: .zero))),
      .state(
        StateChange(
          .noService, previous: .fix3D, reason: "gone", error: error, lastFix: fix,
          retryIn: .milliseconds(1200), time: moment.wall, at: moment)),
      .state(StateChange(.lost, of: .receiver("a"), loss: .silence, at: moment)),
      .state(StateChange(.searching, of: .receiver(nil), at: moment)),
      .retry(FailedRetry(error, at: moment)),
      .retry(FailedRetry(LocationError(.silent), retryIn: .seconds(30), at: moment)),
      .change(
        ReceiverChange(
          .jamming(false), of: "a", state: .fix2D, coordinate: place, time: moment.wall, at: moment)
      ),
    ]

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decoded<Value: Decodable>(
    _ text: String, as type: Value.Type = Value.self
  ) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  @Test(arguments: updates)
  func `and decoded as what they were`(update: LocationUpdate) throws {
    let timed = TimedUpdate(update, at: Self.moment)
    let copy: TimedUpdate = try decoded(try json(timed))
    #expect(copy == timed)
    #expect("\(copy)" == "\(timed)")
  }

  @Test func `as a record of the command, and more`() throws {
    #expect(
      try json(LocationUpdate.retry(FailedRetry(Self.error, retryIn: .seconds(2), at: Self.moment)))
        == #"{"error":{"code":"unreachable","detail":"localhost:2947: connection refused","#
        + #""systemError":{"domain":"errno","number":111}},"#
        + #""received":"2026-11-20T07:05:12.000Z","retryIn":2,"type":"retry","uptime":12500000000}"#
    )
    let change = ReceiverChange(
      .region("harbour", .inside, previous: .unknown), of: "a", at: Moment(uptime: .seconds(1)))
    #expect(
      try json(change)
        == #"{"device":"a","presence":"inside","previous":"unknown","region":"harbour","#
        + #""type":"region","uptime":1000000000}"#)
    let update = LocationUpdate.state(StateChange(.connecting, at: Moment(uptime: .zero)))
    #expect(
      try json(update) == #"{"state":"connecting","subject":"link","type":"state","uptime":0}"#)
    #expect(
      try json(LocationUpdate.event(.notice("hello")))
        == #"{"event":{"notice":"hello"},"type":"event"}"#)
  }

  @Test func `A moment of another computer is converted to the local clock by wall time`() throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(100))
    let here = clock.locationClock
    let wall = try #require(here.now.wall).advanced(by: .seconds(-40))
    let foreign: Moment = try decoded(json(Moment(uptime: .seconds(5000), wall: wall)))
    #expect(foreign > here.now)
    let moved = try #require(here.moment(at: wall))
    #expect(moved.uptime == .seconds(60))
    #expect(moved.wall == wall)
    let blind = LocationClock(now: { Moment(uptime: .zero) }, sleepUntil: { _ in })
    #expect(blind.moment(at: wall) == nil)
  }

  @Test(arguments: [
    #"{"type":"average","lat":1,"lon":2.5,"list":[true,null,"a\"\\\n\u001f"],"z":{}}"#,
    #"{"state":"dozing","type":"state","uptime":1}"#,
    #"{"previous":"dozing","state":"lost","type":"state","uptime":1}"#,
    #"{"quality":"best","type":"quality"}"#, #"{"antenna":"bent","type":"antenna"}"#,
    #"{"pps":"late","type":"pps"}"#, #"{"caster":"M","state":"paused","type":"corrections"}"#,
  ])
  func `What a later version added becomes another report with its text`(line: String) throws {
    guard case .event(.other(let report)) = try decoded(line, as: LocationUpdate.self) else {
      Issue.record("not another report")
      return
    }
    let object = {
      try JSONSerialization.jsonObject(with: Data(($0 as String).utf8)) as? NSDictionary
    }
    #expect(try object(report.text) == object(line))
    #expect(try object(report.text)?["type"] as? String == report.kind.rawValue)
    #expect(
      try decoded(json(LocationUpdate.event(.other(report)))) == .event(.other(report))
        as LocationUpdate)
  }

  @Test func `A name that is not known in one value does not make the others unknown`() throws {
    #expect(
      try decoded(#"{"tide":{"height":1.5}}"#, as: LocationEvent.self)
        == .other(ServiceReport(ServiceReport.Kind(rawValue: "tide"), text: #"{"height":1.5}"#)))
    let fix: LocationFix = try decoded(
      #"{"lat":1,"lon":2,"mode":2,"doubt":["hologram","jump"],"quality":"best"}"#)
    #expect(fix.doubts == [.jump, .other])
    #expect(fix.quality == nil)
    #expect(try decoded(json(fix)) == fix)
    let change: ReceiverChange = try decoded(
      #"{"type":"doubt","doubt":["hologram"],"was":[],"uptime":0}"#)
    #expect(change.kind == .doubt([.other], previous: [], detail: nil))
    let quality: ReceiverChange = try decoded(#"{"type":"quality","quality":"12","uptime":0}"#)
    #expect(quality.kind == .quality(FixQuality(rawValue: 12), previous: nil))
  }

  @Test(arguments: [
    "{}", #"{"notice":"a","removed":"b"}"#, #"{"other":1}"#, #"{"tide":1,"wind":2}"#,
    #"{"refused":{"path":"a"}}"#,
  ])
  func `and refused if they are no event`(text: String) {
    #expect(throws: DecodingError.self) { try decoded(text, as: LocationEvent.self) }
  }

  @Test(arguments: [
    "{}", #"{"type":1}"#, #"{"type":"antenna","previous":"open"}"#, #"{"type":"jamming"}"#,
    #"{"type":"pps","previous":"lost"}"#, #"{"type":"selected"}"#, #"{"type":"doubt","doubt":[]}"#,
    #"{"type":"region","presence":"inside","previous":"outside"}"#,
    #"{"type":"region","region":"a","presence":"inside"}"#, #"{"type":"state"}"#,
    #"{"type":"corrections","state":"lost"}"#, #"{"type":"fix","lat":1,"lon":2}"#,
    #"{"type":"state","state":7}"#, #"{"type":"report"}"#, #"{"type":"event"}"#,
  ])
  func `and refused if a record lacks what it has to have`(text: String) {
    #expect(throws: DecodingError.self) { try decoded(text, as: LocationUpdate.self) }
  }

  @Test func `regions with their properties`() throws {
    let circle = Region.circle("harbour", around: Self.place, radius: 500)
    #expect(
      try json(circle) == #"{"center":{"lat":-33.5,"lon":151.25},"id":"harbour","radius":500}"#)
    #expect(try decoded(try json(circle)) == circle)
    let corners = [0.0, 90, 180].map { Self.place.moved(by: 1000, bearing: $0) }
    let polygon = try #require(Region.polygon("bay", corners))
    #expect(try decoded(try json(polygon)) == polygon)
    let event = RegionEvent(polygon, .inside, previous: .unknown, fix: Self.fix, at: Self.moment)
    #expect(try decoded(try json(event)) == event)
    #expect(throws: DecodingError.self) {
      try decoded(#"{"id":"a","vertices":[{"lat":1,"lon":2}]}"#, as: Region.self)
    }
    #expect(throws: DecodingError.self) {
      try decoded(#"{"id":"a","center":{"lat":1,"lon":2},"radius":-0.5}"#, as: Region.self)
    }
    #expect(
      try decoded(#"{"id":"a","center":{"lat":1,"lon":2},"radius":0}"#, as: Region.self).radius == 0
    )
  }
}
