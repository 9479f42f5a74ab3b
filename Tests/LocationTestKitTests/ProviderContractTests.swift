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
    let steps =
      Self.events.map(ScriptedLocationSource.Step.event) + [failure.map { .fail($0) } ?? .end]
    let clock = ManualClock()
    let source = ScriptedLocationSource(clock: clock, scripts: steps)
    let ending = failure.map { ContractEnding.fails($0.code) } ?? .ends
    let found = await clock.whileAdvancing {
      await source.contractViolations(reporting: Self.events, then: ending)
    }
    #expect(found == [])
  }

  @Test(.virtualTime) func `is kept by a source that stays open`() async {
    let steps = Self.events.map(ScriptedLocationSource.Step.event)
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

  @Test(arguments: [ContractEnding.ends, .staysOpen])
  func `ends when it is cancelled, and says what it waited for`(ending: ContractEnding) async {
    let provider = OwnProvider(reported: Self.events, flaw: .neverBegins)
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
