public import LocationCore
import Synchronization

/// The violation after which the check of a provider cannot continue.
struct Stuck: Error {
  let violation: ContractViolation

  init(_ violation: ContractViolation) { self.violation = violation }
  init(_ rule: ProviderRule, _ detail: String) { self.init(ContractViolation(rule, detail)) }
}

/// The check of a provider: everything that it reads, one rule after another.
struct ProviderContract<Provider: LocationProvider>: Sendable {
  let provider: Provider
  /// The events as they are expected, and their comparable parts.
  let events: [LocationEvent]
  let expected: [LocationEvent]
  let ending: ContractEnding
  /// How long the check waits for the provider, in real time.
  let patience: Duration
  /// The rules that are not checked.
  let excused: Set<ProviderRule>
  /// Returns how many connections are open, if the provider's author counts them.
  let openConnections: (@Sendable () -> Int)?
  let comparable: @Sendable (LocationEvent) -> LocationEvent

  /// One more than expected, so that an extra event is noticed.
  var limit: Int { ending == .staysOpen ? expected.count : expected.count + 1 }

  var expectedEnd: Transcript.End {
    switch ending {
    case .ends: .ended
    case .fails(let code): .failed(code)
    case .staysOpen: .unread
    }
  }

  func violations() async -> [ContractViolation] {
    let openBefore = openConnections?() ?? 0
    var found: [ContractViolation] = []
    do throws(Stuck) {
      let clocks = [provider.clock, .live]
      let starts = clocks.map(\.now)
      found = try await promptViolations()
      // Longer than all events of a connection take.
      let pauses = zip(starts, clocks).map { $0.duration(to: $1.now) + .milliseconds(20) }
      let pause = Pause(duration: pauses[0], realDuration: pauses[1])
      if !excused.contains(.connectsAnew) { found += try await independenceViolations() }
      found += try await requestViolations()
      found += try await pauseViolations(pause)
      found += try await silenceViolations()
      found += try await releaseViolations(openBefore: openBefore)
    } catch {
      found.append(error.violation)
    }
    // The first violation of each rule.
    var rules: Set<ProviderRule> = []
    return found.filter { !excused.contains($0.rule) && rules.insert($0.rule).inserted }
  }

  /// Runs a part of the check in a task of its own, which is abandoned if the provider keeps it waiting.
  ///
  /// - Parameters:
  ///   - rule: The rule that the provider violates if an event is missing.
  ///   - other: Rules that this part does not check.
  func observe<Result: Sendable>(
    _ rule: ProviderRule, excusing other: Set<ProviderRule> = [],
    _ body: @escaping @Sendable (TranscriptLog) async -> Result
  ) async throws(Stuck) -> Result {
    let log = TranscriptLog(excusing: excused.union(other), patience: patience)
    let task = Task {
      let result = await body(log)
      log.signals.send(.finished)
      return result
    }
    while true {
      let deadline = LocationClock.patient.now.advanced(by: patience)
      switch await log.signals.take(until: deadline, by: .patient) {
      case .value(.finished): return await task.value
      case .value(.reported): continue
      case .gaveUp: break
      }
      if Task.isCancelled {
        task.cancel()
        throw Stuck(rule, "the check was cancelled while it waited for the provider")
      }
      if task.isCancelled {
        throw Stuck(.returnsAtOnce, "\(log.call.withLock(\.self)) did not return for \(patience)")
      }
      // The task then finds out what is missing.
      task.cancel()
    }
  }

  /// Compares a transcript with what is expected.
  ///
  /// - Parameters:
  ///   - events: The rule that is violated if the events differ.
  ///   - end: The rule that is violated if the end differs; `nil` for the same rule.
  ///   - required: The events that are compared; `nil` for all that are expected.
  /// - Returns: At most one violation.
  func difference(
    of transcript: Transcript, _ events: ProviderRule, end: ProviderRule? = nil,
    _ circumstance: String = "", requiring required: [LocationEvent]? = nil
  ) throws(Stuck) -> [ContractViolation] {
    if let violation = transcript.violations.first { return [violation] }
    let reported = transcript.events.map(comparable)
    let difference =
      "\(circumstance)reported \(reported)\(transcript.end == .stuck ? " and then nothing" : ""), not "
      + "\(expected)\(missing(in: reported))"
    if transcript.end == .stuck { throw Stuck(events, difference) }
    if reported != required ?? expected { return [ContractViolation(events, difference)] }
    if transcript.end == expectedEnd { return [] }
    return [
      ContractViolation(
        end ?? events, "\(circumstance)the end is \(transcript.end), not \(expectedEnd)")
    ]
  }

  /// Returns a text that names the missing event; an empty one unless exactly one is missing.
  private func missing(in reported: [LocationEvent]) -> String {
    guard
      let place = expected.indices.first(where: {
        reported.count <= $0 || reported[$0] != expected[$0]
      }),
      reported[...].dropFirst(place) == expected[...].dropFirst(place + 1)
    else { return "" }
    return ": event \(place + 1) of \(expected.count) did not come"
  }
}

extension LocationProvider {
  /// Checks that the provider follows every rule that its users rely on.
  ///
  /// All connections of the provider must report the same events. The result is a list of values
  /// that any test framework can compare:
  ///
  /// ```swift
  /// #expect(await provider.contractViolations(reporting: [.fix(sydney)], then: .staysOpen) == [])
  ///
  /// let found = await provider.contractViolations(reporting: [.fix(sydney)], then: .staysOpen)
  /// XCTAssertEqual(found, [])
  /// ```
  ///
  /// Check a provider that stays open, if you can: only this shows whether it stays quiet and open in a silence. The
  /// check makes twenty connections, and reads most of them to the last event. It takes twenty times as long as the
  /// events of one connection. A silence after the events is observed for 100 ms, or for an hour if a test moves the
  /// clock; then no wait may end later than it should.
  ///
  /// If the provider's clock is a `ManualClock`, let the clock advance while the check runs:
  ///
  /// ```swift
  /// let violations = await clock.whileAdvancing {
  ///   await provider.contractViolations(reporting: [.fix(sydney)], then: .staysOpen)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - expected: The events of one connection, in order.
  ///   - ending: What follows the events.
  ///   - patience: How long to wait, in real time, for an event; on a busy machine, the check waits longer. It
  ///     then ends with the violated rule, so that it never hangs.
  ///   - excused: Rules that the provider is known to violate, for example ``ProviderRule/momentsOfArrival`` if it
  ///     reads a socket, which does not report when a message arrived.
  ///   - comparable: Returns an event without the parts that differ between connections, such as the
  ///     time of a fix.
  ///   - openConnections: Returns how many connections of the provider are open, for example by counting sockets. The
  ///     check reads, closes and drops connections, and then waits until the number is the same as before.
  ///     With `nil`, this is not checked.
  /// - Returns: The violated rules; empty if there are none. When its task is cancelled, the check
  ///   ends with the rule that it was waiting for.
  public func contractViolations(
    reporting expected: [LocationEvent], then ending: ContractEnding = .ends,
    atMost patience: Duration = .seconds(10), excusing excused: Set<ProviderRule> = [],
    comparing comparable: @escaping @Sendable (LocationEvent) -> LocationEvent = { $0 },
    openConnections: (@Sendable () -> Int)? = nil
  ) async -> [ContractViolation] {
    await ProviderContract(
      provider: self, events: expected, expected: expected.map(comparable), ending: ending,
      patience: patience, excused: excused, openConnections: openConnections,
      comparable: comparable
    ).violations()
  }
}

/// What a provider does after the events that the contract check expects.
public enum ContractEnding: Hashable, Sendable {
  /// The provider ends, as at the end of a recording.
  case ends
  /// The provider fails with an error of this code.
  case fails(LocationError.Code)
  /// The provider stays connected until it is closed.
  case staysOpen
}
