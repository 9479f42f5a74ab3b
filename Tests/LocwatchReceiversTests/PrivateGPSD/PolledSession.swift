import EventLoop
import GPSDLocation
import LocationCore
import Synchronization
import Testing

/// A session that is polled, and waits at a point of a loop like the one of libgps.
final class PolledSession: GPSDSession {
  typealias Opening = @Sendable (GPSDEndpoint) throws(LocationError) -> Void

  private struct State {
    var lines: [GPSDLines] = []
    var failure: LocationError?
    var waitCount = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let didOpen: Opening
  /// What ends a wait.
  let point: WaitPoint

  /// - Parameter didOpen: Called when it is opened.
  init(_ didOpen: @escaping Opening = { _ in }) throws {
    self.didOpen = didOpen
    point = WaitPoint(on: try #require(EventLoop.shared))
  }

  /// How many waits it has returned.
  var waitCount: Int { state.withLock(\.waitCount) }
  var isClosed: Bool { state.withLock(\.isClosed) }

  func bring(_ line: String, at moment: Moment? = nil) {
    let bytes = Array("\(line)\r\n".utf8)[...]
    state.withLock { $0.lines.append(GPSDLines(bytes: bytes, received: moment)) }
    point.signal()
  }

  /// Has all polls and commands after the last line fail.
  func fail(with failure: LocationError) {
    state.withLock { $0.failure = failure }
    point.signal()
  }

  func open(_ endpoint: GPSDEndpoint) throws(LocationError) { try didOpen(endpoint) }

  func send(_ command: GPSDCommand) throws(LocationError) {
    if let failure = state.withLock(\.failure) { throw failure }
  }

  func close() { state.withLock { $0.isClosed = true } }

  func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
    try state.withLock { state throws(LocationError) in
      if !state.lines.isEmpty { return .received(state.lines.removeFirst()) }
      if let failure = state.failure { throw failure }
      return .quiet(at: now)
    }
  }

  func wait() -> Wait {
    state.withLock { $0.waitCount += 1 }
    return Wait(at: point)
  }
}

extension GPSDSession {
  /// Polls, and returns the text of lines that have come; `nil` if none have.
  func text(at now: Moment = LocationClock.live.now) throws(LocationError) -> String? {
    guard case .received(let lines) = try poll(at: now) else { return nil }
    return lines.text
  }
}

extension GPSDLines {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
