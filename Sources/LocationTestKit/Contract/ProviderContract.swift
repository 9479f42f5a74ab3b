public import LocationCore
import Synchronization

/// The rule that is being checked.
final class ContractProgress: Sendable {
  private let current = Mutex(ProviderRule.reportsEvents)

  var rule: ProviderRule { current.withLock(\.self) }

  func begin(_ rule: ProviderRule) { current.withLock { $0 = rule } }
}

struct ProviderContract<Provider: LocationProvider>: Sendable {
  let provider: Provider
  let expected: [LocationEvent]
  let ending: ContractEnding
  let comparable: @Sendable (LocationEvent) -> LocationEvent
  let progress = ContractProgress()

  /// One more than expected, so that an extra event is noticed.
  var limit: Int { ending == .staysOpen ? expected.count : expected.count + 1 }

  private var expectedEnd: Transcript.End {
    switch ending {
    case .ends: .ended
    case .fails(let code): .failed(code)
    case .staysOpen: .unread
    }
  }

  func violations() async -> [ContractViolation] {
    var found = await iterationViolations()
    found += await connectionViolations()
    progress.begin(.cancellationEnds)
    found += await cancellationViolations()
    return found
  }

  private func iterationViolations() async -> [ContractViolation] {
    let first = await Transcript.ofIteration(of: provider, limit: limit)
    progress.begin(.connectsAnew)
    let second = await Transcript.ofIteration(of: provider, limit: limit)
    var found = difference(of: first, events: .reportsEvents, end: .endsAsExpected)
    let agree =
      [second] + (found.isEmpty ? await Transcript.ofTwoIterations(of: provider, limit: limit) : [])
    if found.isEmpty {
      found += agree.lazy.compactMap {
        difference(of: $0, events: .connectsAnew, end: .connectsAnew).first
      }.prefix(1)
    }
    found += [first, second].compactMap(\.afterEnd).map { ContractViolation(.staysEnded, $0) }
    return found
  }

  private func connectionViolations() async -> [ContractViolation] {
    progress.begin(.connectionAgrees)
    let waiting = await Transcript.ofConnection(to: provider, limit: limit, polls: false)
    progress.begin(.closedStaysClosed)
    // Closed early, the connection still has events that it could wrongly report.
    let closed = await Transcript.ofConnection(
      to: provider, limit: min(1, expected.count), polls: false)
    progress.begin(.deadlinesLoseNothing)
    let polling = await Transcript.ofConnection(to: provider, limit: limit, polls: true)
    var found = difference(of: waiting, events: .connectionAgrees, end: .connectionAgrees)
    found += difference(of: polling, events: .deadlinesLoseNothing, end: .deadlinesLoseNothing)
    for transcript in [waiting, closed, polling] {
      found += transcript.afterEnd.map { [ContractViolation(.staysEnded, $0)] } ?? []
      found += transcript.afterClose.map { [ContractViolation(.closedStaysClosed, $0)] } ?? []
      let pairs = zip(transcript.moments, transcript.moments.dropFirst())
      if let (before, after) = pairs.first(where: { $1 < $0 }) {
        found.append(
          ContractViolation(.momentsGoForward, "\(after.uptime) came after \(before.uptime)"))
      }
    }
    return found
  }

  private func difference(
    of transcript: Transcript, events: ProviderRule, end: ProviderRule
  ) -> [ContractViolation] {
    let reported = transcript.events.map(comparable)
    if reported != expected {
      return [ContractViolation(events, "reported \(reported), not \(expected)")]
    }
    if transcript.end != expectedEnd {
      return [ContractViolation(end, "the end is \(transcript.end), not \(expectedEnd)")]
    }
    return []
  }
}

extension ProviderContract {
  func cancellationViolations() async -> [ContractViolation] {
    var found: [ContractViolation] = []
    for (name, end) in [
      ("an iteration", await endOfCancelledIteration()),
      ("a connection", await endOfCancelledConnection()),
      ("a waiting iteration", await endOfIterationCancelledWhileItWaits()),
    ] where end != .ended {
      found.append(ContractViolation(.cancellationEnds, "the end of \(name) is \(end)"))
    }
    for (name, count) in [
      ("an iteration", await countAfterCancelledIteration()),
      ("a connection", await countAfterCancelledConnection()),
    ] where count > 0 {
      found.append(
        ContractViolation(
          .cancellationEnds, "\(name) reported \(count) more events after it was cancelled"))
    }
    return found
  }

  /// Returns the number of events of an iteration after it is cancelled at its first event.
  private func countAfterCancelledIteration() async -> Int {
    guard !expected.isEmpty else { return 0 }
    return await cancelledWhenBegun { begun in
      var transcript = Transcript()
      var iterator = provider.events().makeAsyncIterator()
      await transcript.read(&iterator)
      await begun()
      while transcript.isUnread(below: expected.count) { await transcript.read(&iterator) }
      return transcript.events.count - 1
    }
  }

  /// Returns the number of events of a connection after it is cancelled at its first read.
  private func countAfterCancelledConnection() async -> Int {
    guard !expected.isEmpty else { return 0 }
    return await cancelledWhenBegun { begun in
      var connection = provider.connection()
      _ = try? await connection.next(until: nil)
      await begun()
      var count = 0
      while count < expected.count,
        case .value(let events, _) = try? await connection.next(until: nil)
      {
        count += events.count
      }
      await connection.close()
      return count
    }
  }

  /// Runs `body` in a task that is cancelled as soon as `body` calls `begun`, which then returns.
  private func cancelledWhenBegun(
    _ body: @escaping @Sendable (_ begun: () async -> Void) async -> Int
  ) async -> Int {
    let hasBegun = Mailbox<Void>()
    let task = Task {
      await body {
        hasBegun.send(())
        while !Task.isCancelled { await Task.yield() }
      }
    }
    _ = await hasBegun.take()
    task.cancel()
    return await task.value
  }

  private func endOfCancelledIteration() async -> Transcript.End {
    await inCancelledTask { await Transcript.ofIteration(of: provider, limit: .max).end }
  }

  private func endOfCancelledConnection() async -> Transcript.End {
    await inCancelledTask {
      await Transcript.ofConnection(to: provider, limit: .max, polls: false).end
    }
  }

  /// Returns the end of an iteration cancelled during a wait, which only an open provider is sure to
  /// do.
  private func endOfIterationCancelledWhileItWaits() async -> Transcript.End {
    guard ending == .staysOpen else { return .ended }
    let isThrough = Mailbox<Void>()
    let reader = Task {
      var count = 0
      do throws(LocationError) {
        var iterator = provider.events().makeAsyncIterator()
        if expected.isEmpty { isThrough.send(()) }
        while try await iterator.next(isolation: #isolation) != nil {
          count += 1
          if count == expected.count { isThrough.send(()) }
        }
        return Transcript.End.ended
      } catch {
        return .failed(error.code)
      }
    }
    _ = await isThrough.take()
    reader.cancel()
    return await reader.value
  }

  private func inCancelledTask(
    _ body: @escaping @Sendable () async -> Transcript.End
  ) async -> Transcript.End {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await body()
    }
    task.cancel()
    return await task.value
  }
}

extension LocationProvider {
  /// Checks that the provider follows every rule that its users rely on.
  ///
  /// All connections of the provider must report the same events. The result is a list of values
  /// that any test framework can compare:
  ///
  /// ```swift
  /// #expect(await provider.contractViolations(reporting: [.fix(sydney)]) == [])  // Swift Testing
  ///
  /// let violations = await provider.contractViolations(reporting: [.fix(sydney)])
  /// XCTAssertEqual(violations, [])                                               // XCTest
  /// ```
  ///
  /// - Parameters:
  ///   - expected: The events of one connection, in order.
  ///   - ending: What follows the events.
  ///   - comparable: Returns an event without the parts that differ between connections, such as the
  ///     time of a fix.
  /// - Returns: The violated rules; empty if there are none. If the provider hangs, so does the
  ///   check: give the test a time limit. When its task is cancelled, the check ends and returns the
  ///   rule that it was waiting for.
  public func contractViolations(
    reporting expected: [LocationEvent], then ending: ContractEnding = .ends,
    comparing comparable: @escaping @Sendable (LocationEvent) -> LocationEvent = { $0 }
  ) async -> [ContractViolation] {
    let contract = ProviderContract(
      provider: self, expected: expected.map(comparable), ending: ending, comparable: comparable)
    let result = Mailbox<[ContractViolation]>()
    // In a task of its own, because a faulty provider may ignore cancellation.
    let check = Task { result.send(await contract.violations()) }
    switch await result.take() {
    case .value(let found):
      return found
    case .gaveUp:
      // A check that is cancelled before it begins goes on to the next rules at once.
      let rule = contract.progress.rule
      check.cancel()
      return [
        ContractViolation(rule, "the check was cancelled while it waited for the provider")
      ]
    }
  }
}
