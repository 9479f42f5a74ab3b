import LocationCore

struct ProviderContract<Provider: LocationProvider>: Sendable {
  let provider: Provider
  let expected: [LocationEvent]
  let ending: ContractEnding
  let comparable: @Sendable (LocationEvent) -> LocationEvent

  /// One more than there should be, so that one too many is noticed.
  var limit: Int { ending == .staysOpen ? expected.count : expected.count + 1 }

  private var expectedEnd: Transcript.End {
    switch ending {
    case .ends: .ended
    case .fails(let code): .failed(code)
    case .staysOpen: .unread
    }
  }

  func iterationViolations() async -> [ContractViolation] {
    let first = await Transcript.ofIteration(of: provider, limit: limit)
    let second = await Transcript.ofIteration(of: provider, limit: limit)
    var found = difference(of: first, events: .reportsEvents, end: .endsAsExpected)
    if found.isEmpty { found += difference(of: second, events: .connectsAnew, end: .connectsAnew) }
    found += [first, second].compactMap(\.afterEnd).map { ContractViolation(.staysEnded, $0) }
    return found
  }

  func connectionViolations() async -> [ContractViolation] {
    let waiting = await Transcript.ofConnection(to: provider, limit: limit, polls: false)
    let polling = await Transcript.ofConnection(to: provider, limit: limit, polls: true)
    var found = difference(of: waiting, events: .connectionAgrees, end: .connectionAgrees)
    found += difference(of: polling, events: .deadlinesLoseNothing, end: .deadlinesLoseNothing)
    for transcript in [waiting, polling] {
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
