import LocationTestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A faulty provider` {
  static let events: [LocationEvent] = [.notice("one"), .notice("two"), .notice("three")]

  @Test(arguments: [ContractEnding.ends, .fails(.disconnected), .staysOpen])
  func `without a fault passes the check`(ending: ContractEnding) async {
    let right = FaultyProvider(Self.events, then: ending)
    #expect(await right.contractViolations(reporting: Self.events, then: ending) == [])
  }

  @Test(arguments: FaultyProvider.Fault.allCases)
  func `fails the check, with a sentence about the rule`(fault: FaultyProvider.Fault) async {
    var sentences: [String] = []
    // A busy machine excuses delays, and may be caught by another rule first.
    for _ in 0..<5 where !sentences.contains(where: { $0.contains(fault.sentence) }) {
      let faulty = FaultyProvider(Self.events, then: .staysOpen, fault: fault)
      let found = await faulty.contractViolations(
        reporting: Self.events, then: .staysOpen, atMost: .seconds(1))
      sentences += found.map { "\($0)" }
    }
    #expect(sentences.contains { $0.contains(fault.sentence) }, "\(sentences)")
  }

  @Test(arguments: [
    FaultyProvider.Fault.stealsWhileOpen, .reportsNothingAfterDeadlines,
    .timesOutHalfWay, .closeDoesNothing, .cancellingEndsAll, .throwsWhenCancelledInAWait,
  ])
  func `fails the check also where the provider ends`(fault: FaultyProvider.Fault) async {
    let rule = fault.sentence.prefix { $0 != ":" }
    for ending in [ContractEnding.ends, .fails(.disconnected)] {
      var found: [ContractViolation] = []
      // One whose fault has ended it for good would be empty at each further try.
      for _ in 0..<5 where !found.contains(where: { $0.rule.rawValue == rule }) {
        let faulty = FaultyProvider(Self.events, then: ending, fault: fault)
        found += await faulty.contractViolations(
          reporting: Self.events, then: ending, atMost: .seconds(1))
      }
      #expect(found.contains { $0.rule.rawValue == rule }, "\(found)")
    }
  }
}

extension FaultyProvider.Fault {
  /// A part of what the check says of a provider that stays open; of most, the beginning.
  fileprivate var sentence: String {
    switch self {
    case .sharesEvents, .missesAnEvent, .closingEndsAll, .secondIsEmpty, .reordersEvents:
      "reports its events in order: reported ["
    case .stealsWhileOpen:
      "reports the same events to each iteration: reported ["
    case .cancellingEndsAll:
      "reports the same events to each iteration: after another connection was cancelled, "
        + "reported [notice one], not [notice one, notice two, notice three]"
    case .reportsEmptyArrays:
      "returns an event, or else a time-out or the end: a read returned an empty array"
    case .dropsUnreadEvents:
      // On a busy machine, every reader is slow, and the rule may be another one.
      "reported [notice one, notice three] and then nothing for 1.0 seconds, instead of [notice "
        + "one, notice two, notice three]"
    case .momentsGoBack: "reports moments in order: "
    case .ignoresDeadlines, .ignoresPassedDeadlines:
      "ends a wait at its deadline: a wait went on for 1.0 seconds after its deadline"
    case .reportsNothingAfterDeadlines:
      "reports what has arrived, even after the deadline: reported [], not ["
    case .losesEventsAtDeadlines:
      "loses no event to a deadline: reported [notice one, notice three] and then nothing"
    case .repeatsEventsAfterDeadlines:
      "loses no event to a deadline: reported [notice one, notice one, notice two], not ["
    case .timesOutHalfWay: "ends a wait at its deadline: a wait timed out 0.00"
    case .timesOutLate: "ends a wait at its deadline: each wait ended at least 0.0"
    case .timesOutWithoutDeadline:
      "ends a wait at its deadline: a wait without a deadline timed out"
    case .endsAtDeadlines, .throwsAtDeadlines:
      "loses no event to a deadline: reported [notice one], not ["
    case .clockStandsStill: "has a clock that advances: the clock stood at "
    case .goesOnWhenCancelled:
      "ends without an error when it is cancelled: a waiting connection went on for 1.0 seconds "
        + "after it was cancelled"
    case .endsLateWhenCancelled:
      "ends without an error when it is cancelled: a waiting connection ended 0."
    case .throwsWhenCancelledInAWait:
      "ends without an error when it is cancelled: the end of a waiting connection is "
        + "failed(cancelled)"
    case .closeDoesNothing: "reports nothing after close: a further read waited for 1.0 seconds"
    case .closeNeverReturns: "reports nothing after close: close() did not return for 1.0 seconds"
    }
  }
}
