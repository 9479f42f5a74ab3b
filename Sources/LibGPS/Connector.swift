import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import Synchronization

/// Connects to gpsd with `gps_open`, which may block for minutes and cannot be interrupted.
///
/// Each call runs on a thread of its own. The task that connects waits for it until a deadline, or until the task is
/// cancelled, and then leaves the call behind. The next task that connects to the same gpsd joins that call
/// instead of starting another. A source that retries therefore has one thread at most. If no task has joined a call
/// when it ends, its connection is closed.
///
/// Calls run at the same time, because with a lock, a host that does not answer would delay all others. That is safe:
/// see ``GPSHandle/init(to:by:)``.
package final class Connector: Sendable {
  /// How long a task waits: for the name server and for gpsd together.
  static let limit = Duration.seconds(3)

  private let limit: Duration
  private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool
  private let open: @Sendable (GPSDEndpoint) throws(LocationError) -> GPSHandle
  /// The calls that were left behind. Some may have ended since.
  private let calls = Mutex<[GPSDEndpoint: [OpenCall]]>([:])

  /// Creates a connector that calls `gps_open`.
  package convenience init() {
    self.init { endpoint throws(LocationError) in try GPSHandle(to: endpoint) }
  }

  /// - Parameters:
  ///   - startThread: Runs a closure on a new thread and returns `true`, or returns `false` if it cannot.
  ///   - open: Connects to gpsd; blocks until it has succeeded or failed.
  init(
    limit: Duration = Connector.limit,
    startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = BlockingThread
      .start,
    open: @escaping @Sendable (GPSDEndpoint) throws(LocationError) -> GPSHandle
  ) {
    self.limit = limit
    self.startThread = startThread
    self.open = open
  }

  /// Connects to a gpsd.
  ///
  /// - Parameter loop: Where to wait.
  /// - Throws: The error of the call; `unreachable` if it does not end in time or no thread can be started; `cancelled`
  ///   if the task is cancelled.
  func connect(
    to endpoint: GPSDEndpoint, on loop: EventLoop
  ) async throws(LocationError) -> GPSHandle {
    try endpoint.check()
    let deadline = LocationClock.live.now.advanced(by: limit)
    let point = WaitPoint(on: loop)
    let call = try call(to: endpoint, point)
    while !Task.isCancelled {
      if let outcome = call.takeOutcome() { return try outcome.get() }
      if await point.wait(until: deadline) == .timedOut { break }
    }
    if call.leave() { calls.withLock { $0[endpoint, default: []].append(call) } }
    guard !Task.isCancelled else { throw LocationError(.cancelled, "cancelled while connecting") }
    throw LocationError(
      .unreachable, systemError: .errno(ETIMEDOUT),
      "\(endpoint) does not answer: connection timed out")
  }

  /// Joins a call that was left behind, or starts one.
  private func call(
    to endpoint: GPSDEndpoint, _ point: WaitPoint
  ) throws(LocationError) -> OpenCall {
    let joined = calls.withLock { calls -> OpenCall? in
      while let call = calls[endpoint]?.popLast() {
        if call.join(at: point) { return call }
      }
      calls[endpoint] = nil
      return nil
    }
    if let joined { return joined }
    let call = OpenCall(awaitedAt: point)
    let isStarted = startThread { [open] in
      call.end(with: Result { () throws(LocationError) in try open(endpoint) })
    }
    guard isStarted else {
      throw LocationError(
        .unreachable, systemError: .errno(EAGAIN), "\(endpoint): no thread is left")
    }
    return call
  }
}

/// A call of `gps_open` on a thread. One task at a time waits for it.
private final class OpenCall: Sendable {
  private struct State {
    var isRunning = true
    /// Where a task waits; `nil` if the call was left behind.
    var waiting: WaitPoint?
    var outcome: Result<GPSHandle, LocationError>?
  }

  private let state: Mutex<State>

  init(awaitedAt point: WaitPoint) { state = Mutex(State(waiting: point)) }

  /// Lets a task wait for the call.
  ///
  /// - Returns: `false` if it has ended.
  func join(at point: WaitPoint) -> Bool {
    state.withLock { state in
      if state.isRunning { state.waiting = point }
      return state.isRunning
    }
  }

  /// Leaves the call behind.
  ///
  /// - Returns: `false` if it has ended.
  func leave() -> Bool {
    state.withLock { state in
      state.waiting = nil
      return state.isRunning
    }
  }

  func end(with outcome: Result<GPSHandle, LocationError>) {
    let waiting = state.withLock { state in
      state.isRunning = false
      if state.waiting != nil { state.outcome = outcome }
      return state.waiting.take()
    }
    waiting?.signal()
  }

  /// Returns the outcome; `nil` while the call runs.
  func takeOutcome() -> Result<GPSHandle, LocationError>? { state.withLock { $0.outcome.take() } }
}
