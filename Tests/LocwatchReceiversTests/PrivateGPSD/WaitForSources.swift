import EventLoop
import GPSDLocation
import LocationCore
import Synchronization

@testable import LocwatchSystem

extension LookUp {
  /// Returns what looks up a host before it returns.
  static func atOnce(
    _ resolve: @escaping (NetworkAddress) throws(LocationError) -> [HostAddress] = HostAddress
      .resolve
  ) -> Start {
    { address in LookUp(Result { () throws(LocationError) in try resolve(address) }) }
  }
}

/// A session whose reads wait until they are cancelled, unless there is something to return.
struct WaitingSession: GPSDSession {
  let value: @Sendable (_ deadline: Moment?) -> TimedRead<GPSDLines>?

  func open(_ endpoint: GPSDEndpoint) async throws(LocationError) {}
  func send(_ command: GPSDCommand) async throws(LocationError) {}

  func read(until deadline: Moment?) async throws(LocationError) -> TimedRead<GPSDLines> {
    if let value = value(deadline) { return value }
    try? await Task.sleep(for: .seconds(1000))
    return .ended
  }

  func close() async {}
}

/// A session that is polled, and waits at a point of a loop like the one of libgps.
final class PolledSession: GPSDSession {
  typealias Outcome = Result<TimedRead<GPSDLines>, LocationError>

  private struct State {
    var lines: [GPSDLines] = []
    var outcome: Outcome?
    var readCount = 0
    var waitCount = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  /// What ends a wait.
  let point: WaitPoint

  init(on loop: EventLoop) { point = WaitPoint(on: loop) }

  /// How many reads have begun.
  var readCount: Int { state.withLock(\.readCount) }
  /// How many waits it has returned.
  var waitCount: Int { state.withLock(\.waitCount) }
  var isClosed: Bool { state.withLock(\.isClosed) }

  func bring(_ line: String) {
    let bytes = Array("\(line)\r\n".utf8)[...]
    state.withLock { $0.lines.append(GPSDLines(bytes: bytes, received: LocationClock.live.now)) }
    point.signal()
  }

  /// Has the reads after the last line end like this.
  func end(with outcome: Outcome) {
    state.withLock { $0.outcome = outcome }
    point.signal()
  }

  func open(_ endpoint: GPSDEndpoint) {}
  func send(_ command: GPSDCommand) {}
  func close() { state.withLock { $0.isClosed = true } }

  func read(until deadline: Moment?) async throws(LocationError) -> TimedRead<GPSDLines> {
    state.withLock { $0.readCount += 1 }
    while !Task.isCancelled {
      if let lines = poll() { return .value(lines, at: lines.received ?? .past) }
      if let outcome = state.withLock(\.outcome) { return try outcome.get() }
      if let deadline, deadline <= LocationClock.live.now { return .timedOut(at: deadline) }
      _ = await point.wait(until: deadline)
    }
    return .ended
  }

  func poll() -> GPSDLines? {
    state.withLock { $0.lines.isEmpty ? nil : $0.lines.removeFirst() }
  }

  func arrival(before deadline: Moment?) -> ArrivalWait? {
    state.withLock { state in
      guard state.outcome == nil else { return nil }
      state.waitCount += 1
      return ArrivalWait(for: point, until: deadline)
    }
  }
}

extension GPSDLines {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
