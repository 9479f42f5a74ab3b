import GPSDLocation
import LocationCore
import LocationTestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Provider contract` {
  private static let events: [LocationEvent] = [
    .service(LocationService(name: "gpsd 3.22")), .noFix(NoFix()), .fix(Places.sydney),
  ]
  private static let lines = [
    #"{"class":"VERSION","release":"3.22"}"#, #"{"class":"TPV","mode":1}"#, "not json",
    #"{"class":"TPV","mode":3,"lat":-33.85,"lon":151.21}"#,
  ]

  @Test(arguments: [nil, Places.gone])
  func `is kept by a scripted source`(failure: LocationError?) async {
    let steps = Self.events.map(LocationScriptStep.event) + (failure.map { [.fail($0)] } ?? [])
    let source = ScriptedLocationSource(clock: ManualClock(), scripts: steps)
    let ending = failure.map { ContractEnding.fails($0.code) } ?? .ends
    #expect(await source.contractViolations(reporting: Self.events, then: ending) == [])
  }

  @Test func `is kept by a source that stays open`() async {
    let steps = Self.events.map(LocationScriptStep.event) + [.stayOpen]
    let clock = ManualClock()
    let source = ScriptedLocationSource(clock: clock, scripts: steps)
    let found = await clock.whileAdvancing {
      await source.contractViolations(reporting: Self.events, then: .staysOpen)
    }
    #expect(found == [])
  }

  // As fast as possible, time passes with the reads alone.
  @Test(arguments: [
    (RecordedSession.Pace.asFastAsPossible, Set([ProviderRule.momentsOfArrival])),
    (.recorded(speed: 1000), Set()),
  ])
  func `is kept by a recording`(pace: RecordedSession.Pace, excused: Set<ProviderRule>) async {
    let lines = Self.lines.enumerated().flatMap { [#"{"class":"LOCWATCH","t":\#($0).000}"#, $1] }
    let source = GPSDLocationSource.recorded(lines: lines, pace: pace)
    let found = await source.contractViolations(reporting: Self.events, excusing: excused)
    #expect(found == [])
  }

  @Test func `is kept by a session that fails`() async {
    let session = FailingSession(
      open: { _ in }, send: { _ in },
      read: { _ throws(GPSDError) in
        guard !Task.isCancelled else { return .ended }
        throw GPSDError(.hungUp, "gpsd hung up")
      }, close: {})
    let source = GPSDLocationSource(makeSession: { session })
    #expect(
      await source.contractViolations(reporting: [], then: .fails(.disconnected)) == [])
  }

  @Test(arguments: [nil, Places.gone])
  func `is kept by a provider of one's own`(failure: LocationError?) async {
    let provider = OwnProvider(reported: Self.events, failure: failure)
    let ending = failure.map { ContractEnding.fails($0.code) } ?? .ends
    let found = await provider.contractViolations(reporting: Self.events, then: ending)
    #expect(found == [])
  }

  @Test(arguments: [nil, Places.gone])
  func `is kept by a provider over a sequence`(failure: LocationError?) async {
    let provider = EventSequenceProvider { OwnEvents(rest: Self.events[...], failure: failure) }
    let ending = failure.map { ContractEnding.fails($0.code) } ?? .ends
    let found = await provider.contractViolations(reporting: Self.events, then: ending)
    #expect(found == [])
  }

  @Test(arguments: [
    (OwnProvider.Flaw.throwsWhenCancelled, ProviderRule.cancellationEnds),
    (.goesOnWhenCancelled, .cancellationEnds),
    (.reportsAfterEnd, .staysEnded), (.failsTwice, .staysEnded), (.dropsAnEvent, .reportsEvents),
  ])
  func `names the rule that is broken`(flaw: OwnProvider.Flaw, rule: ProviderRule) async {
    let provider = OwnProvider(reported: Self.events, failure: Places.gone, flaw: flaw)
    let found = await provider.contractViolations(
      reporting: Self.events, then: .fails(.disconnected))
    #expect(found.first?.rule == rule, "\(found)")
  }

  @Test func `names the rule that connections to one session break`() async {
    // Each line at a moment of its own: what comes together is read at once.
    let session = RecordedSession(
      lines: Self.lines.enumerated().flatMap { [#"{"class":"LOCWATCH","t":\#($0).000}"#, $1] })
    let found = await GPSDLocationSource(replaying: session).contractViolations(
      reporting: Self.events)
    #expect(found.first?.rule == .connectsAnew, "\(found)")
  }

  @Test func `names the rule that a connection breaks which cannot be closed`() async {
    let provider = UnstoppableProvider(reported: Self.events)
    let found = await provider.contractViolations(reporting: Self.events)
    #expect(found.map(\.rule) == [.closedStaysClosed], "\(found)")
  }

  @Test(arguments: [ContractEnding.ends, .staysOpen])
  func `ends when it is cancelled, and says what it waited for`(ending: ContractEnding) async {
    let provider = OwnProvider(reported: Self.events, flaw: .waitsForEver)
    // Mostly before it begins.
    for _ in 0..<100 {
      let check = Task {
        await provider.contractViolations(reporting: Self.events, then: ending)
      }
      check.cancel()
      #expect(
        await check.value.map(\.description) == [
          "reports its events in order: the check was cancelled while it waited for the provider"
        ])
    }
  }

  @Test func `compares without what differs from connection to connection`() async {
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

/// Its connections do not notice that they are closed.
private struct UnstoppableProvider: LocationProvider {
  let reported: [LocationEvent]

  func connection() -> Connection { Connection(rest: reported[...]) }

  struct Connection: LocationConnection {
    var rest: ArraySlice<LocationEvent>

    mutating func next(until deadline: Moment?) -> TimedRead<[TimedEvent]> {
      guard !Task.isCancelled, let event = rest.popFirst() else { return .ended }
      return .event(event, at: LocationClock.live.now)
    }

    func close() {}
  }
}
