import GPSDLocation
import LocationCore
import Synchronization

/// A session that is polled, with given lines. Its waits end at once.
final class PolledSession: GPSDSession, Arrival {
  private struct State {
    /// What the polls return, one after the other.
    var polls: [GPSDLines?]
    var failure: LocationError?
    var calls: [String] = []
    var waitCount = 0
  }

  private let state: Mutex<State>
  private let hasWaits: Bool

  init(_ polls: [GPSDLines?] = [], hasWaits: Bool = true) {
    state = Mutex(State(polls: polls))
    self.hasWaits = hasWaits
  }

  /// The calls but for polls.
  var calls: [String] { state.withLock(\.calls) }
  var waitCount: Int { state.withLock(\.waitCount) }

  func bring(_ lines: String..., at second: Double = 0) {
    let bytes = Array(lines.map { $0 + "\r\n" }.joined().utf8)[...]
    state.withLock { $0.polls.append(GPSDLines(bytes: bytes, received: .at(second))) }
  }

  /// Has the polls after the last lines fail.
  func fail(with failure: LocationError) { state.withLock { $0.failure = failure } }

  func open(_ endpoint: GPSDEndpoint) { record("open") }
  func send(_ command: GPSDCommand) { record("send \(command.text)") }
  func close() { record("close") }
  private func record(_ call: String) { state.withLock { $0.calls.append(call) } }

  func poll() throws(LocationError) -> GPSDLines? {
    try state.withLock { state throws(LocationError) -> GPSDLines? in
      if let failure = state.failure, state.polls.isEmpty { throw failure }
      return state.polls.isEmpty ? nil : state.polls.removeFirst()
    }
  }

  func arrival(before deadline: Moment?) -> ArrivalWait? {
    hasWaits ? ArrivalWait(for: self, until: deadline) : nil
  }

  func hasCome(before deadline: Moment?) async -> Bool {
    state.withLock { $0.waitCount += 1 }
    return true
  }

  func signal() {}
}
