import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import Synchronization

/// Runs blocking calls that cannot be interrupted, each on a thread of its own.
///
/// A waiting task may time out. The next task that makes the same call adopts the abandoned one instead of starting
/// another, unless that one is too old. If none does, its result is discarded.
final class BlockingCalls<Value: Sendable>: Sendable {
  typealias Body = @Sendable () throws(LocationError) -> Value

  /// How often to try to start a thread. One that has just ended counts towards the system's limit until
  /// it has been cleared away.
  private static var threadAttempts: Int { 20 }
  private static var threadRetryInterval: Duration { .milliseconds(5) }
  /// The number of abandoned calls from which on the youngest is adopted, however old it is.
  private static var maximumAbandoned: Int { 2 }
  /// The time after which a call is slow: it may never end.
  private static var usualTime: Duration { .milliseconds(500) }

  private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool
  private let abandoned = Mutex<[BlockingCall<Value>]>([])
  private let adoptionLimit: Duration?

  /// - Parameters:
  ///   - adoptionLimit: The age up to which the only abandoned call is adopted; `nil` for any.
  ///   - startThread: Runs a closure on a new thread and returns `true`, or returns `false` if it
  ///     cannot. A test injects that failure.
  init(
    adoptionLimit: Duration? = nil,
    startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = BlockingThread.start
  ) {
    self.adoptionLimit = adoptionLimit
    self.startThread = startThread
  }

  /// Makes the call identified by `endpoint`, or adopts an abandoned one, and waits for its result.
  ///
  /// - Parameters:
  ///   - wakeup: The point to wait at.
  ///   - isSlow: Called once if the call has not ended after half a second, or is given up before that.
  /// - Returns: The result; `nil` if the deadline passes or the task is cancelled first.
  /// - Throws: The error of the call, or that no thread can be started.
  func value(
    of endpoint: GPSDEndpoint, until deadline: Moment, _ wakeup: WaitPoint,
    isSlow: () -> Void = {}, _ body: @escaping Body
  ) async throws(LocationError) -> Value? {
    let adopted = abandoned.withLock { calls in
      let same = calls.indices.filter { calls[$0].endpoint == endpoint }
      let youngest = same.max { calls[$0].start < calls[$1].start }
      return youngest.flatMap { index in
        let isAdopted =
          same.count >= Self.maximumAbandoned || calls[index].isYounger(than: adoptionLimit)
        return isAdopted ? calls.remove(at: index) : nil
      }
    }
    let call = if let adopted { adopted } else { try await start(endpoint, wakeup, body) }
    let soon = LocationClock.live.now.advanced(by: Self.usualTime).earlier(of: deadline)
    if let value = try await call.take(until: soon, wakeup) { return value }
    isSlow()
    if let value = try await call.take(until: deadline, wakeup) { return value }
    abandoned.withLock { if call.isRunning { $0.append(call) } }
    return nil
  }

  private func start(
    _ endpoint: GPSDEndpoint, _ wakeup: WaitPoint, _ body: @escaping Body
  ) async throws(LocationError) -> BlockingCall<Value> {
    let call = BlockingCall<Value>(to: endpoint)
    let run: @Sendable () -> Void = { [self] in
      call.finish(body)
      abandoned.withLock { $0.removeAll { $0 === call } }
    }
    for _ in 0..<Self.threadAttempts {
      if startThread(run) { return call }
      let retry = LocationClock.live.now.advanced(by: Self.threadRetryInterval)
      _ = await wakeup.wait(until: retry)
    }
    throw LocationError(.unreachable, systemError: .errno(EAGAIN), "no thread is left")
  }
}

/// A blocking call, and the point at which a task waits for it.
private final class BlockingCall<Value: Sendable>: Sendable {
  private struct State {
    var isRunning = true
    var value: Value?
    var failure: LocationError?
    var waiting: WaitPoint?
  }

  let endpoint: GPSDEndpoint
  let start = LocationClock.live.now
  private let state = Mutex(State())

  init(to endpoint: GPSDEndpoint) { self.endpoint = endpoint }

  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// - Parameter limit: `nil` for any age.
  func isYounger(than limit: Duration?) -> Bool {
    limit.map { start.duration(to: LocationClock.live.now) < $0 } ?? true
  }

  /// Makes the call, and keeps its result.
  func finish(_ body: () throws(LocationError) -> Value) {
    var value: Value?
    var failure: LocationError?
    do throws(LocationError) { value = try body() } catch { failure = error }
    let waiting = state.withLock { state in
      state.isRunning = false
      state.value = value
      state.failure = failure
      return state.waiting.take()
    }
    waiting?.signal()
  }

  func take(until deadline: Moment, _ wakeup: WaitPoint) async throws(LocationError) -> Value? {
    while true {
      let (value, failure) = state.withLock { state in
        state.waiting = wakeup
        return (state.value.take(), state.failure)
      }
      if let failure { throw failure }
      if let value { return value }
      if Task.isCancelled || deadline <= LocationClock.live.now {
        state.withLock { $0.waiting = nil }
        return nil
      }
      // The signal may be that of an abandoned call, which had the same point to wait at.
      _ = await wakeup.wait(until: deadline)
    }
  }
}
