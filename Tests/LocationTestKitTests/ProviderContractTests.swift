import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

@Suite(.timeLimit(.minutes(5))) struct `Provider contract` {
  private static let events: [LocationEvent] = [
    .service(LocationService(name: "gpsd 3.22")), .noFix(NoFix()), .fix(Places.sydney),
  ]

  @Test(.virtualTime, arguments: [nil, Places.gone])
  func `is kept by a scripted source`(failure: LocationError?) async {
    let steps = Self.events.map(LocationScriptStep.event) + (failure.map { [.fail($0)] } ?? [])
    let clock = ManualClock()
    let source = ScriptedLocationSource(clock: clock, scripts: steps)
    let ending = failure.map { ContractEnding.fails($0.code) } ?? .ends
    let found = await clock.whileAdvancing {
      await source.contractViolations(reporting: Self.events, then: ending)
    }
    #expect(found == [])
  }

  @Test(.virtualTime) func `is kept by a source that stays open`() async {
    let steps = Self.events.map(LocationScriptStep.event) + [.stayOpen]
    let clock = ManualClock()
    let source = ScriptedLocationSource(clock: clock, scripts: steps)
    let found = await clock.whileAdvancing {
      await source.contractViolations(reporting: Self.events, then: .staysOpen)
    }
    #expect(found == [])
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
}

/// Its connections do not notice that they are closed.
private struct UnstoppableProvider: LocationProvider {
  let reported: [LocationEvent]

  func connection(for request: LocationRequest) -> Connection { Connection(rest: reported[...]) }

  struct Connection: LocationConnection {
    var rest: ArraySlice<LocationEvent>

    mutating func next(until deadline: Moment?) -> TimedRead<[TimedEvent]> {
      guard !Task.isCancelled, let event = rest.popFirst() else { return .ended }
      return .event(event, at: LocationClock.live.now)
    }

    func close() {}
  }
}
