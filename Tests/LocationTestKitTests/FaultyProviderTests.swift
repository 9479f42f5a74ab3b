import LocationTestKit
import Synchronization
import Testing
import VirtualTimeTesting

@Suite(.timeLimit(.minutes(5))) struct `A faulty provider` {
  static let events: [LocationEvent] = [.notice("one"), .notice("two"), .notice("three")]
  /// The faults that are seen only where a provider ends, where the check may count connections, or where the
  /// machine is idle.
  private static let special: Set<FaultyProvider.Fault> = [
    .missesAnEventAndWaitsAfterItsEnd, .keepsDroppedConnections, .blocksItsThread,
  ]

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

  /// The event that is missing explains more than what comes after it.
  @Test func `that waits after its end is reported with the event that it left out`() async {
    let faulty = FaultyProvider(
      Self.events, then: .ends, fault: .missesAnEventAndWaitsAfterItsEnd)
    let found = await faulty.contractViolations(reporting: Self.events, atMost: .seconds(1))
    #expect(
      found.map { "\($0)" } == [
        "reports its events in order: reported [notice one, notice two], not [notice one, notice two, "
          + "notice three]: event 3 of 3 did not come"
      ])
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
    arguments: FaultyProvider.Fault.allCases.filter { !Self.special.contains($0) })
  func `fails the check, with a sentence about the rule`(fault: FaultyProvider.Fault) async {
    let found = await Self.violations(
      by: fault, of: fault.events, then: .staysOpen,
      atMost: .seconds(fault == .closeTakesLong ? 5 : 1))
    #expect(found.contains { "\($0)".contains(fault.sentence) }, "\(found)")
  }

  @Test(.virtualTime) func `that reports a wrong time of day is reported with the error`() async {
    let found = await Self.violations(
      by: .tellsTheWrongTimeOfDay, of: Self.events, then: .staysOpen)
    #expect(found.contains { $0.detail.contains("time of day 3600.0 seconds ahead of") })
  }

  @Test func `is not checked for what is excused`() async {
    let faulty = FaultyProvider(Self.events, then: .staysOpen, fault: .stampsWhenRead)
    let found = await faulty.contractViolations(
      reporting: Self.events, then: .staysOpen, excusing: [.momentsOfArrival])
    #expect(found == [])
  }

  @Test(
    .virtualTime,
    arguments: [
      FaultyProvider.Fault.stealsWhileOpen, .reportsNothingAfterDeadlines, .timesOutHalfWay,
      .closeDoesNothing, .cancellingEndsAll, .throwsWhenCancelledInAWait,
    ])
  func `fails the check also where the provider ends`(fault: FaultyProvider.Fault) async {
    let rule = fault.sentence.prefix { $0 != ":" }
    for ending in [ContractEnding.ends, .fails(.disconnected)] {
      let found = await Self.violations(
        by: fault, of: Self.events, then: ending, atMost: .seconds(1))
      #expect(found.contains { $0.rule.rawValue == rule }, "\(found)")
    }
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

  /// A part of what the check says of a provider that stays open; of most, the beginning.
  var sentence: String {
    switch self {
    case .missesAnEvent:
      "reports its events in order: reported [notice one, notice two] and then nothing for 1.0 "
        + "seconds, instead of [notice one, notice two, notice three]: event 3 of 3 did not come"
    case .sharesEvents, .closingEndsAll, .secondIsEmpty, .reordersEvents:
      "reports its events in order: reported ["
    case .stealsWhileOpen:
      "reports the same events to each iteration: reported ["
    case .cancellingEndsAll:
      "reports the same events to each iteration: after another connection was cancelled, "
        + "reported [notice one], not [notice one, notice two, notice three]"
    case .restartsOthers:
      "reports the same events to each iteration: after another connection was opened and read, "
        + "reported [notice one, notice one, notice two], not [notice one, notice two, notice three]"
    case .connectsWhenMade: "keeps events that are not read at once: reported ["
    case .dropsEventsByRequest:
      "reports every event that a request does not exclude: reported ["
    case .dropsFixesJustAccurateEnough:
      "reports every event that a request does not exclude: reported [notice one, fix"
    case .stampsWhenRead:
      "gives the moments at which events arrived: events that came between two reads have the moment "
        + "of the second read"
    case .stampsAnHourAhead:
      "gives the moments at which events arrived: an event has a moment 3600.0 seconds"
    case .tellsTheWrongTimeOfDay:
      "gives moments the time of day of its clock: an event has a time of day 3600.0 seconds"
    case .timesOutALittleLate:
      "ends a wait at its deadline: each wait ended at least 0.001 seconds after its deadline"
    case .losesEventsExactlyAtDeadlines:
      "loses no event to a deadline: reported [notice one, notice three] and then nothing"
    case .leavesEventsExactlyAtDeadlines:
      "reports what has arrived, even after the deadline: an event that arrived at the deadline, "
        + "0."
    case .missesAnEventAndWaitsAfterItsEnd: "reports its events in order: reported ["
    case .keepsDroppedConnections: "releases connections that nobody reads: "
    case .splitsWhatArrivesTogether:
      "returns together what arrived together: two events arrived at "
    case .losesEventsJustAfterDeadlines:
      "loses no event to a deadline: reported [notice one, notice three] and then nothing"
    case .ignoresShortDeadlines:
      "ends a wait at its deadline: a wait continued for 1.0 seconds after its deadline"
    case .timesOutAfterMinutes:
      "ends a wait at its deadline: a wait without a deadline timed out"
    case .blocksItsThread:
      "ends without an error when it is cancelled: a waiting connection ended 0."
    case .leaksAContinuation:
      "ends without an error when it is cancelled: a waiting connection continued for 1.0 seconds "
        + "after it was cancelled"
    case .closeTakesLong: "closes without delay: close() took 1.5 seconds"
    case .reportsEmptyArrays:
      "returns an event, or else a time-out or the end: a read returned an empty array"
    case .dropsUnreadEvents:
      "keeps events that are not read at once: reported [notice one, notice three] and then nothing "
        + "for 1.0 seconds, instead of [notice one, notice two, notice three]"
    case .momentsGoBack: "reports moments in order: "
    case .ignoresDeadlines, .ignoresPassedDeadlines:
      "ends a wait at its deadline: a wait continued for 1.0 seconds after its deadline"
    case .reportsNothingAfterDeadlines:
      "reports what has arrived, even after the deadline: reported [], not ["
    case .losesEventsAtDeadlines:
      "loses no event to a deadline: reported [notice one, notice three] and then nothing"
    case .repeatsEventsAfterDeadlines:
      "loses no event to a deadline: reported [notice one, notice one, notice two], not ["
    case .timesOutHalfWay: "ends a wait at its deadline: a wait timed out 0.0041 seconds before"
    case .timesOutLate: "ends a wait at its deadline: each wait ended at least 0.06"
    case .timesOutWithoutDeadline:
      "ends a wait at its deadline: a wait without a deadline timed out"
    case .endsAtDeadlines, .throwsAtDeadlines:
      "loses no event to a deadline: reported [notice one], not ["
    case .clockStandsStill: "has a clock that advances: the clock stood at "
    case .goesOnWhenCancelled:
      "ends without an error when it is cancelled: a waiting connection continued for 1.0 seconds "
        + "after it was cancelled"
    case .endsLateWhenCancelled:
      "ends without an error when it is cancelled: a waiting connection ended 0.7 seconds"
    case .throwsWhenCancelledInAWait:
      "ends without an error when it is cancelled: the end of a waiting connection is "
        + "failed(cancelled)"
    case .closeDoesNothing: "reports nothing after close: a further read waited for 1.0 seconds"
    case .closeNeverReturns: "closes without delay: close() did not return for 1.0 seconds"
    }
  }
}
