import GPSDLocation
import LocationCore
import Synchronization

/// A live session with given lines, which waits for a second that the test chooses.
final class PolledSession: GPSDSession {
  private struct State {
    var lines: [GPSDLines] = []
    var failure: LocationError?
    var calls: [String] = []
    var deadline: Moment?
  }

  private let state = Mutex(State())

  /// The calls but for polls.
  var calls: [String] { state.withLock(\.calls) }

  func bring(_ lines: String..., at second: Double = 0) {
    let bytes = Array(lines.map { $0 + "\r\n" }.joined().utf8)[...]
    state.withLock { $0.lines.append(GPSDLines(bytes: bytes, received: .at(second))) }
  }

  /// Has the polls after the last lines fail.
  func fail(with failure: LocationError) { state.withLock { $0.failure = failure } }

  func wait(until second: Double) { state.withLock { $0.deadline = .at(second) } }

  func open(_ endpoint: GPSDEndpoint) { record("open") }
  func send(_ command: GPSDCommand) { record("send \(command.text)") }
  func close() { record("close") }
  private func record(_ call: String) { state.withLock { $0.calls.append(call) } }

  func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
    try state.withLock { state throws(LocationError) in
      if !state.lines.isEmpty { return .received(state.lines.removeFirst()) }
      if let failure = state.failure { throw failure }
      return .quiet(at: now)
    }
  }

  func wait() -> Wait { Wait(until: state.withLock(\.deadline)) }
}
