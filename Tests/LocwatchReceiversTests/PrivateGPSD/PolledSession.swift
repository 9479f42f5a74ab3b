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

  func poll() throws(LocationError) -> GPSDLines? {
    try state.withLock { state throws(LocationError) in
      if let failure = state.failure, state.lines.isEmpty { throw failure }
      return state.lines.isEmpty ? nil : state.lines.removeFirst()
    }
  }

  func arrival(before deadline: Moment?) -> ArrivalWait? {
    state.withLock { $0.waitCount += 1 }
    return ArrivalWait(for: point, until: deadline)
  }
}

extension GPSDLines {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
