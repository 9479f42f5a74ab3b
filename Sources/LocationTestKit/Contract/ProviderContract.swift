public import LocationCore

/// The violation after which the check of a provider cannot continue.
struct Stuck: Error { var violation: ContractViolation }

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

  /// The longest permitted delay of a wait on an idle machine.
  static var promptness: Duration { .milliseconds(50) }

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
    var found: [ContractViolation] = []
    let openBefore = openConnections?() ?? 0
    do throws(Stuck) {
      let clocks = [LocationClock.measuring, provider.clock]
      let starts = clocks.map(\.now)
      let prompt = try await promptReading()
      // The time until all events have arrived, in real time and by the clock of the provider.
      let took = zip(starts, clocks).map { $0.duration(to: $1.now) }.max() ?? .zero
      let pause = min(took + .milliseconds(20), patience / 4)
      // An iteration cannot handle results that a connection must not return.
      guard prompt.violations.isEmpty else { return [prompt.violations[0]] }
      found += try await iterationViolations()
      if found.isEmpty { found += try await independenceViolations() }
      found += difference(of: prompt, events: .connectionAgrees, end: .connectionAgrees)
      found += try await requestViolations()
      found += try await connectionViolations(pausing: pause)
      found += try await deadlineViolations(expectedAt: prompt.moments)
      found += try await cancellationViolations()
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
    let log = TranscriptLog(excusing: excused.union(other))
    let task = Task {
      let result = await body(log)
      log.signals.send(.finished)
      return result
    }
    while true {
      let deadline = LocationClock.patient.now.advanced(by: patience)
      switch await log.signals.take(until: deadline, by: .patient) {
      case .value(.finished):
        return await task.value
      case .value(.reported):
        continue
      case .gaveUp:
        // A cancelled task continues at once, and would change the transcript.
        let transcript = log.transcript
        task.cancel()
        throw Stuck(violation: violation(of: rule, stuckAt: transcript))
      }
    }
  }

  private func violation(
    of rule: ProviderRule, stuckAt transcript: Transcript
  ) -> ContractViolation {
    guard !Task.isCancelled else {
      return ContractViolation(rule, "the check was cancelled while it waited for the provider")
    }
    let now = provider.clock.now
    switch transcript.request {
    case .deadline(let deadline) where now < deadline:
      return ContractViolation(
        .clockAdvances,
        "the clock stood at \(now.uptime) for \(patience), before a deadline at \(deadline.uptime): "
          + "let a ManualClock run the check, with whileAdvancing")
    case .deadline:
      return ContractViolation(
        .deadlinesEndWaits, "a wait continued for \(patience) after its deadline")
    case .close:
      return ContractViolation(.closesAtOnce, "close() did not return for \(patience)")
    case .end(let endRule):
      let reported = transcript.events.map(comparable)
      guard let missing = missing(in: reported) else {
        return ContractViolation(endRule, "a further read waited for \(patience)")
      }
      return ContractViolation(rule, "reported \(reported), not \(expected)\(missing)")
    case .cancellation(let name):
      return ContractViolation(
        .cancellationEnds, "\(name) continued for \(patience) after it was cancelled")
    case .event:
      let reported = transcript.events.map(comparable)
      return ContractViolation(
        rule,
        "reported \(reported) and then nothing for \(patience), instead of \(expected)"
          + (missing(in: reported) ?? ""))
    }
  }

  /// Returns a text that names the missing event; `nil` unless exactly one is missing.
  private func missing(in reported: [LocationEvent]) -> String? {
    guard
      let place = expected.indices.first(where: {
        reported.count <= $0 || reported[$0] != expected[$0]
      }),
      reported[...].dropFirst(place) == expected[...].dropFirst(place + 1)
    else { return nil }
    return ": event \(place + 1) of \(expected.count) did not come"
  }

  /// Compares a transcript with what is expected.
  ///
  /// - Returns: At most one violation.
  func difference(
    of transcript: Transcript, events: ProviderRule, end: ProviderRule, _ circumstance: String = ""
  ) -> [ContractViolation] {
    if !transcript.violations.isEmpty { return transcript.violations }
    let reported = transcript.events.map(comparable)
    if reported != expected {
      return [
        ContractViolation(
          events,
          "\(circumstance)reported \(reported), not \(expected)" + (missing(in: reported) ?? ""))
      ]
    }
    if transcript.end != expectedEnd {
      return [
        ContractViolation(end, "\(circumstance)the end is \(transcript.end), not \(expectedEnd)")
      ]
    }
    return []
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
  /// Check a provider that stays open, if you can: only this shows whether a wait ends at its deadline, and whether a
  /// waiting read can be cancelled. The check makes thirty connections, and reads most of them to the last event. It
  /// takes 25 times as long as the events of one connection, plus a second if the provider stays open. A wait without
  /// a deadline is observed in the silences between the events and for 100 ms after them. If a test moves the clock,
  /// it is observed for an hour, and no wait may end later than at its deadline.
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
  ///   - patience: How long to wait, in real time, for an event or for the end of a wait; on a busy machine, the
  ///     check waits longer. It then ends with the violated rule, so that it never hangs.
  ///   - excused: Rules that the provider is known to violate, for example ``ProviderRule/momentsOfArrival`` if it
  ///     reads a socket, which does not report when a message arrived.
  ///   - comparable: Returns an event without the parts that differ between connections, such as the
  ///     time of a fix.
  ///   - openConnections: Returns how many connections of the provider are open, for example by counting sockets. The
  ///     check reads, closes, cancels and drops connections, and then waits until the number is the same as before.
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
  /// The provider stays connected until it is cancelled.
  case staysOpen
}
