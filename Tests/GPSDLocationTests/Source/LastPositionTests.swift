import GPSDLocation
import GPSDTestKit
import LocationCore
import Synchronization
import TestSupport
import Testing

/// gpsd's answers to `?POLL;`, which has a position for as long as gpsd has the receiver.
@Suite struct `The last position of a gpsd` {
  /// A live gpsd whose answers have all come.
  private final class Session: GPSDSession {
    private let lines: Mutex<[String]>

    init(_ lines: [String]) { self.lines = Mutex(lines) }

    func open(_ endpoint: GPSDEndpoint) {}
    func send(_ command: GPSDCommand) {}
    func close() {}

    func wait() -> Wait { Wait() }

    func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
      let text = lines.withLock { lines in
        defer { lines = [] }
        return lines.map { $0 + "\r\n" }.joined()
      }
      guard !text.isEmpty else { throw LocationError(.disconnected, "over") }
      return .lines(Array(text.utf8)[...], at: now)
    }
  }

  /// 07:05:30 by the local clock.
  private static let now = Moment(uptime: .zero, wall: Lines.start.advanced(by: .seconds(30)))

  private static func poll(_ positions: String..., skies: String...) -> String {
    #"{"class":"POLL","time":"2026-11-20T07:05:30.000Z","active":\#(positions.count),"#
      + #""tpv":[\#(positions.joined(separator: ","))],"gst":[{"class":"GST"}],"#
      + #""sky":[\#(skies.joined(separator: ","))]}"#
  }

  /// Returns the fixes and sky views, and what was sent.
  private func reports(
    of lines: String..., asking: Bool = true, device: String? = nil, clockError: Double? = 0.25
  ) async -> (reports: [LocationEvent], sent: [GPSDCommand]) {
    let spy = SpySession(Session([Lines.version, Lines.devices, Lines.watch] + lines))
    let source = GPSDLocationSource(
      device: device, satellites: true, asksForLast: asking,
      clock: LocationClock(now: { Self.now }, wallError: { clockError }, sleepUntil: { _ in }),
      makeSession: { spy })
    var connection = source.connection()
    var found: [LocationEvent] = []
    while case .received(let events)? = try? await connection.read(by: source.clock) {
      found += events.map(\.event).filter { event in
        switch event {
        case .fix, .noFix, .sky: true
        default: false
        }
      }
    }
    return (
      found, spy.calls.compactMap { if case .send(let command) = $0 { command } else { nil } }
    )
  }

  @Test func `is asked for after the watch, and only where it is wanted`() async {
    let watch = GPSDCommand.watch
    #expect(await reports().sent == [watch, .poll])
    #expect(await reports(asking: false).sent == [watch])
    #expect(await reports(clockError: nil).sent == [watch])
    // Nobody has asked for it.
    #expect(await reports(of: Self.poll(Lines.tpv(29)), asking: false).reports == [])
  }

  @Test(arguments: [
    (29, true), (28, true), (30, true), (27, false), (0, false), (31, false), (59, false),
  ])
  func `is reported if it is at most two seconds old`(second: Int, isCurrent: Bool) async {
    #expect(
      await reports(of: Self.poll(Lines.tpv(second))).reports
        == (isCurrent ? [.fix(Lines.fix(second))] : []))
  }

  @Test(
    arguments: [(nil, 0), (0, 1), (1, 1), (1.001, 0), (.infinity, 0), (.nan, 0)] as [(Double?, Int)]
  )
  func `has an age only if something keeps the clock right`(error: Double?, count: Int) async {
    #expect(await reports(of: Self.poll(Lines.tpv(29)), clockError: error).reports.count == count)
  }

  @Test func `may be ahead of the clock by the error of the clock`() async {
    let line = Self.poll(Lines.tpv(31))
    #expect(await reports(of: line, clockError: 0.999).reports == [])
    #expect(await reports(of: line, clockError: 1).reports == [.fix(Lines.fix(31))])
  }

  @Test(arguments: [
    // No receiver; one that has reported nothing, has no fix, or has just lost it.
    poll(), poll(#"{"class":"TPV","device":"/dev/a","mode":0}"#), poll(Lines.tpv(30, mode: 1)),
    // A fix without a time has no age.
    poll(#"{"class":"TPV","device":"/dev/a","mode":3,"lat":1,"lon":2}"#),
    // Satellites without a position, in any form.
    poll(skies: Lines.sky()), poll(Lines.tpv(20), skies: Lines.sky()),
    #"{"class":"POLL","tpv":7}"#, #"{"class":"POLL","tpv":[7,[],"x"],"sky":{}}"#,
    #"{"class":"POLL"}"#, #"{"class":"POLL","tpv":[],"tpv":[]}"#, #"{"class":"POLL","tpv":[{]}"#,
  ])
  func `is not reported without a position`(line: String) async {
    #expect(await reports(of: line).reports == [])
  }

  @Test func `is that of each receiver which has one, with its satellites`() async {
    let two = Self.poll(
      Lines.tpv(12), Lines.tpv(29, device: "/dev/b"), skies: Lines.sky(),
      Lines.sky(device: "/dev/b"))
    var sky = Lines.skyView
    sky.device = "/dev/b"
    #expect(
      await reports(of: two).reports == [.sky(sky), .fix(Lines.fix(29, device: "/dev/b"))])
    #expect(await reports(of: two, device: "/dev/a").reports == [])
    let both = Self.poll(Lines.tpv(30), Lines.tpv(29, device: "/dev/b"))
    #expect(
      await reports(of: both).reports
        == [.fix(Lines.fix(30)), .fix(Lines.fix(29, device: "/dev/b"))])
  }

  @Test func `is not that of a recording, nor asked for in one`() async throws {
    let spy = SpySession(RecordedSession(lines: [Lines.version, Self.poll(Lines.tpv(29))]))
    let source = GPSDLocationSource(
      satellites: true, asksForLast: true,
      clock: LocationClock(now: { Self.now }, wallError: { 0 }, sleepUntil: { _ in }),
      makeSession: { spy })
    var events: [LocationEvent] = []
    for try await event in source.events() { events.append(event) }
    #expect(events == [.service(LocationService(name: "gpsd 3.22"))])
    #expect(spy.calls.allSatisfy { $0 == .read || $0 == .close })
  }

  @Test func `is of at most 64 receivers`() async {
    let positions = (0..<200).map { Lines.tpv(30, device: "/dev/\($0)") }.joined(separator: ",")
    #expect(await reports(of: Self.poll(positions)).reports.count == 64)
  }
}
