import LocationCore
import Synchronization

/// Which rule is being checked.
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

  /// One more than there should be, so that one too many is noticed.
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
    // Closed early, it has something that it could give.
    let closed = await Transcript.ofConnection(
      to: provider, limit: min(1, expected.count), polls: false)
    progress.begin(.deadlinesLoseNothing)
    let polling = await Transcript.ofConnection(to: provider, limit: limit, polls: true)
    var found = difference(of: waiting, events: .connectionAgrees, end: .connectionAgrees)
    found += difference(of: polling, events: .deadlinesLoseNothing, end: .deadlinesLoseNothing)
    for transcript in [waiting, closed, polling] {
      found += transcript.afterEnd.map { [ContractViolation(.closedStaysClosed, $0)] } ?? []
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
