import LocationCore
import Testing

@testable import GPSDLocation
@testable import GPSDProtocol

@Suite struct `Interpreter of reports` {
  private func events(
    _ lines: String..., device: String? = nil, received: Timestamp? = nil
  ) -> [LocationEvent?] {
    var interpreter = GPSDInterpreter(device: device)
    var decoder = GPSDDecoder()
    return lines.map { line in
      let kind = decoder.decode(Lines.bytes(line).span)
      return interpreter.event(
        of: kind, in: &decoder, Lines.bytes(line)[...], at: Moment(uptime: .zero, wall: received))
    }
  }

  @Test(
    arguments: [
      (Lines.version, .service(LocationService(name: "gpsd 3.22"))),
      (Lines.noDevices, .receivers([])),
      (Lines.tpv(1), .fix(Lines.fix(1))),
      (Lines.tpv(1, mode: 2), .fix(Lines.fix(1, mode: .fix2D))),
      (
        Lines.tpv(1, mode: 1),
        .noFix(NoFix(device: "/dev/a", time: Lines.start.advanced(by: .seconds(1))))
      ),
      (#"{"class":"TPV","mode":3,"lat":47.37}"#, .noFix(NoFix(isStated: false))),
      (#"{"class":"TPV","mode":3,"lat":91,"lon":8}"#, .noFix(NoFix(isStated: false))),
      (#"{"class":"TPV"}"#, .noFix(NoFix(isStated: false))),
      (Lines.sky(), .sky(Lines.skyView)),
      (Lines.removed, .removed(path: "/dev/a")),
      (
        #"{"class":"DEVICE","path":"/dev/a","driver":"u-blox","bps":9600,"cycle":0.1}"#,
        .receiver(
          Receiver(
            path: "/dev/a", driver: "u-blox", bitsPerSecond: 9600, cycle: .milliseconds(100),
            isActive: false))
      ),
      (Lines.refusal, .notice("Do nothing: /dev/a")),
      (Lines.watch, nil),
      (#"{"class":"GST","lat":4.5,"lon":5.6}"#, nil),
      (#"{"class":"AIS","lat":4.5,"lon":5.6}"#, nil),
      ("not json", nil),
    ] as [(String, LocationEvent?)])
  func `says what a report means`(line: String, event: LocationEvent?) {
    #expect(events(line) == [event])
  }

  @Test(arguments: [(1, false), (2, true), (0, nil), (3, nil)] as [(Int, Bool?)])
  func `a report without a position has the power of the antenna`(number: Int, isPowered: Bool?) {
    // As gpsd 3.27 sends it for an antenna that works, and for one that is open.
    #expect(
      events(
        #"{"class":"TPV","mode":0,"antPwr":\#(number),"jam":5}"#,
        #"{"class":"TPV","mode":1,"ant":2,"antPwr":\#(number)}"#)
        == [
          .noFix(NoFix(isStated: false, isAntennaPowered: isPowered, interference: 5)),
          .noFix(NoFix(isStated: true, antenna: .open, isAntennaPowered: isPowered)),
        ])
  }

  @Test func `stamps a fix with the time of its arrival`() {
    let received = Lines.start.advanced(by: .milliseconds(1310))
    guard case .fix(let fix)? = events(Lines.tpv(1), received: received).first else {
      Issue.record("no fix")
      return
    }
    #expect(fix == Lines.fix(1) && fix.received == received)
  }

  @Test func `leaves out what other receivers report`() {
    #expect(
      events(
        Lines.tpv(1, device: "/dev/b"), Lines.sky(device: "/dev/b"), Lines.devices,
        #"{"class":"DEVICE","path":"/dev/b","activated":0}"#, device: "/dev/a")
        == [nil, nil, .receivers([Receiver(path: "/dev/a", isActive: false)]), nil])
  }

  @Test func `takes a report that names no receiver for one of the wanted`() {
    let line = #"{"class":"TPV","mode":1}"#
    #expect(events(line, device: "/dev/a") == [.noFix(NoFix())])
  }

  @Test func `takes an error before the confirmation for the answer to the watch`() {
    let refused = LocationEvent.refused(path: "/dev/a", reason: "Do nothing: /dev/a")
    let notice = LocationEvent.notice("Do nothing: /dev/a")
    #expect(events(Lines.refusal, Lines.refusal, device: "/dev/a") == [refused, notice])
    #expect(events(Lines.watchA, Lines.refusal, device: "/dev/a") == [nil, notice])
  }

  @Test func `says so when the watch is confirmed for all receivers`() {
    #expect(
      events(Lines.watch, device: "/dev/a")
        == [.notice("gpsd does not confirm that it watches only /dev/a")])
    #expect(events(Lines.watchA, device: "/dev/a") == [nil])
  }
}
