import GPSDTestKit
import LocationCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Provider contract of gpsd` {
  private static let events: [LocationEvent] = [
    .service(LocationService(name: "gpsd 3.22")), .noFix(NoFix()),
    .fix(
      LocationFix(coordinate: Coordinate(latitude: -33.85, longitude: 151.21)!, mode: .fix3D)),
  ]
  private static let lines = [
    #"{"class":"VERSION","release":"3.22"}"#, #"{"class":"TPV","mode":1}"#, "not json",
    #"{"class":"TPV","mode":3,"lat":-33.85,"lon":151.21}"#,
  ]

  // Time passes only with the reads, and the clock follows the latest connection: at the pace of the recording, others
  // do not continue beside it.
  @Test(arguments: [
    (RecordedSession.Pace.asFastAsPossible, Set([ProviderRule.momentsOfArrival])),
    (.recorded(speed: 1000), Set([ProviderRule.momentsOfArrival, .connectsAnew])),
  ])
  func `is kept by a recording`(pace: RecordedSession.Pace, excused: Set<ProviderRule>) async {
    let lines = Self.lines.enumerated().flatMap { [#"{"class":"LOCWATCH","t":\#($0).000}"#, $1] }
    let source = GPSDLocationSource.recorded(lines: lines, pace: pace)
    let found = await source.contractViolations(reporting: Self.events, excusing: excused)
    #expect(found == [])
  }

  @Test func `names the rule that connections to one session break`() async {
    // Each line at a moment of its own: what comes together is read at once.
    let session = RecordedSession(
      lines: Self.lines.enumerated().flatMap { [#"{"class":"LOCWATCH","t":\#($0).000}"#, $1] })
    let found = await GPSDLocationSource(replaying: session).contractViolations(
      reporting: Self.events)
    #expect(found.first?.rule == .connectsAnew, "\(found)")
  }

  @Test func `ignores what differs between connections`() async {
    let source = GPSDLocationSource.recorded(
      lines: [#"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:04:50.120Z"}"#] + Self.lines)
    let found = await source.contractViolations(reporting: Self.events) { event in
      guard case .fix(var fix) = event else { return event }
      fix.received = nil
      return .fix(fix)
    }
    #expect(found == [])
  }
}
