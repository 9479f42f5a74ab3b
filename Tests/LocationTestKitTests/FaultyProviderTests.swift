import LocationTestKit
import Synchronization
import Testing
import VirtualTimeTesting

@Suite(.timeLimit(.minutes(5))) struct `A faulty provider` {
  static let events: [LocationEvent] = [.notice("one"), .notice("two"), .notice("three")]

  @Test(arguments: [ContractEnding.ends, .fails(.disconnected), .staysOpen])
  func `without a fault passes the check`(ending: ContractEnding) async {
    for events in [Self.events, FaultyProvider.Fault.dropsEventsByRequest.events] {
      let right = FaultyProvider(events, then: ending)
      #expect(await right.contractViolations(reporting: events, then: ending) == [])
    }
  }

  @Test(.virtualTime, arguments: [ContractEnding.ends, .fails(.disconnected), .staysOpen])
  func `without a fault passes the check in virtual time`(ending: ContractEnding) async {
    for events in [Self.events, FaultyProvider.Fault.dropsEventsByRequest.events] {
      #expect(await Self.violations(by: nil, of: events, then: ending) == [])
    }
  }

  @Test func `without a fault holds no connection that nobody reads`() async {
    for ending in [ContractEnding.ends, .staysOpen] {
      let right = FaultyProvider(Self.events, then: ending)
      let found = await right.contractViolations(
        reporting: Self.events, then: ending, openConnections: { right.shared.withLock(\.held) })
      #expect(found == [])
      #expect(right.shared.withLock(\.held) == 0)
    }
  }

  @Test func `that holds what nobody reads fails a check that counts`() async {
    let faulty = FaultyProvider(Self.events, then: .ends, fault: .keepsDroppedConnections)
    let found = await faulty.contractViolations(
      reporting: Self.events, atMost: .seconds(1),
      openConnections: { faulty.shared.withLock(\.held) })
    #expect(found.map(\.rule) == [.releasesConnections])
    let held = faulty.shared.withLock(\.held)
    #expect(found.first?.detail == "\(held) connections are open that nobody reads")
  }

  @Test(
    .virtualTime,
    // Nothing advances the clock where nobody waits for a moment.
    arguments: FaultyProvider.Fault.allCases.filter {
      $0 != .keepsDroppedConnections && $0 != .waitsForNothing
    })
  func `fails the check, with a sentence about the rule`(fault: FaultyProvider.Fault) async {
    let found = await Self.violations(
      by: fault, of: fault.events, then: fault.ending, atMost: .seconds(1))
    #expect(found.first.map { "\($0)".prefix(fault.sentence.count) } ?? "" == fault.sentence)
  }

  /// Those that do not depend on how busy the machine is.
  @Test(arguments: [
    FaultyProvider.Fault.missesAnEvent, .stealsWhileOpen, .dropsUnreadEvents, .stampsWhenPolled,
    .isQuietUntilTheLastEvent, .waitsForNothing, .endsWhenCancelled, .closeDoesNothing,
  ])
  func `fails the check by a clock that moves by itself`(fault: FaultyProvider.Fault) async {
    let faulty = FaultyProvider(fault.events, then: .staysOpen, fault: fault)
    let found = await faulty.contractViolations(
      reporting: fault.events, then: .staysOpen, atMost: .seconds(1))
    #expect(found.contains { "\($0)".hasPrefix(fault.sentence) }, "\(found)")
  }

  /// No rule is checked in vain: without it, some provider would pass.
  @Test func `breaks one rule, and each rule is broken by one`() {
    let broken = Set(FaultyProvider.Fault.allCases.map { $0.sentence.prefix { $0 != ":" } })
    #expect(broken == Set(ProviderRule.allCases.map { $0.rawValue[...] }))
  }

  @Test func `is not checked for what is excused`() async {
    let faulty = FaultyProvider(Self.events, then: .staysOpen, fault: .stampsWhenPolled)
    let found = await faulty.contractViolations(
      reporting: Self.events, then: .staysOpen, excusing: [.momentsOfArrival])
    #expect(found == [])
  }
}

extension `A faulty provider` {
  /// What the check finds by a clock that a test moves.
  private static func violations(
    by fault: FaultyProvider.Fault?, of events: [LocationEvent], then ending: ContractEnding,
    atMost patience: Duration = .seconds(10)
  ) async -> [ContractViolation] {
    let clock = ManualClock()
    let provider = FaultyProvider(events, then: ending, fault: fault, by: clock.locationClock)
    return await clock.whileAdvancing {
      await provider.contractViolations(reporting: events, then: ending, atMost: patience)
    }
  }
}

extension FaultyProvider.Fault {
  /// The events in which the fault shows.
  var events: [LocationEvent] {
    switch self {
    case .dropsEventsByRequest, .dropsFixesJustAccurateEnough:
      [
        .notice("one"), .fix(.at(latitude: -33.85, longitude: 151.21, horizontalError: 8)),
        .fix(.at(latitude: -33.86, longitude: 151.21, horizontalError: 5)), .notice("four"),
      ]
    default: `A faulty provider`.events
    }
  }

  /// The end with which the fault shows.
  var ending: ContractEnding {
    switch self {
    case .reportsAfterItsEnd: .ends
    case .throwsTwice: .fails(.disconnected)
    default: .staysOpen
    }
  }

  /// The beginning of what the check says.
  var sentence: String {
    switch self {
    case .missesAnEvent:
      "reports its events in order: reported [notice one, notice two] and then nothing, not "
        + "[notice one, notice two, notice three]: event 3 of 3 did not come"
    case .reordersEvents:
      "reports its events in order: reported [notice two, notice one, notice three], not ["
    case .endsAfterMinutes: "ends as it should: the end is ended, not unread"
    case .reportsAfterItsEnd: "reports nothing after its end: reported [notice still here]"
    case .throwsTwice: "reports nothing after its end: threw gone"
    case .secondIsEmpty:
      "reports the same events to each connection: reported [] and then nothing, not ["
    case .sharesEvents, .closingEndsAll:
      "reports the same events to each connection: reported [], not ["
    case .stealsWhileOpen:
      "reports the same events to each connection: after another connection was opened and read, "
    case .restartsOthers:
      "reports the same events to each connection: after another connection was opened and read, "
        + "reported [notice one, notice one, notice two], not [notice one, notice two, notice three]"
    case .dropsEventsByRequest:
      "reports every event that a request does not exclude: asked for "
    case .dropsFixesJustAccurateEnough:
      "reports every event that a request does not exclude: asked for "
    case .reportsEmptyArrays:
      "returns an event, or else is quiet or ends: a poll returned an empty array"
    case .connectsWhenMade: "keeps events that are not polled at once: first polled "
    case .dropsUnreadEvents:
      "keeps events that are not polled at once: reported [notice one, notice three] and then "
        + "nothing, not [notice one, notice two, notice three]: event 2 of 3 did not come"
    case .losesEventsWhenPolledOften:
      "reports the same events however often it is polled: reported [notice one, notice three] "
    case .repeatsEventsWhenPolledOften:
      "reports the same events however often it is polled: reported [notice one, notice one, "
    case .endsWhenPolledOften:
      "reports the same events however often it is polled: reported [notice one], not ["
    case .isQuietUntilTheLastEvent, .isQuietUntilTheNextEvent:
      "is quiet until the moment of the poll: a poll at "
    case .waitsForNothing:
      "ends a wait when there is something to poll: a wait continued for 1.0 seconds, although "
    case .waitsTooLong, .waitsALittleTooLong:
      "ends a wait when there is something to poll: a wait ended 0."
    case .ringsForNothing, .waitsUntilThePast:
      "ends no wait at once without something to poll: 100 waits in a row ended within "
    case .clockStandsStill: "has a clock that advances: the clock stood at "
    case .momentsGoBack: "reports moments in order: "
    case .stampsWhenPolled:
      "gives the moments at which events arrived: events that came between two polls have the moment "
        + "of the second poll"
    case .stampsAnHourAhead:
      "gives the moments at which events arrived: an event has a moment 3600.0 seconds ahead"
    case .tellsTheWrongTimeOfDay:
      "gives moments the time of day of its clock: an event has a time of day 3600.0 seconds ahead"
    case .endsWhenCancelled, .throwsWhenCancelled:
      "reports the same events to a task that is cancelled: reported []"
    case .pollBlocks: "returns without delay: poll(at:) took 0.2"
    case .waitBlocks: "returns without delay: wait() took 0.2"
    case .closeBlocks: "returns without delay: close() took 0.2"
    case .closeDoesNothing: "reports nothing after close: was quiet, and did not end"
    case .keepsDroppedConnections: "releases connections that nobody reads: "
    }
  }
}
