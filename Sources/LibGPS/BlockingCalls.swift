import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import Synchronization

/// Runs blocking calls that cannot be interrupted, each on a thread of its own.
///
/// A waiting task may time out. The next task that makes the same call adopts the abandoned one
/// instead of starting another. If none does, its result is discarded.
final class BlockingCalls<Success: Sendable>: Sendable {
  typealias Value = Result<Success, GPSDError>

  private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool
  private let abandoned = Mutex<[BlockingCall<Value>]>([])

  /// - Parameter startThread: Runs a closure on a new thread and returns `true`, or returns `false` if
  ///   it cannot. A test injects that failure.
  init(
    startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = BlockingThread.start
  ) {
    self.startThread = startThread
  }

  /// Makes the call identified by `name`, or adopts an abandoned one, and waits for its result.
  ///
  /// - Parameter wakeup: The point to wait at.
  /// - Returns: The result, or a failure if no thread can be started; `nil` if the deadline passes or
  ///   the task is cancelled first.
  func value(
    of name: String, until deadline: Moment, _ wakeup: WaitPoint,
    _ body: @escaping @Sendable () -> Value
  ) async -> Value? {
    let adopted = abandoned.withLock { calls in
      calls.firstIndex { $0.name == name }.map { calls.remove(at: $0) }
    }
    let call = adopted ?? start(name, body)
    if let value = await call.take(until: deadline, wakeup) { return value }
    abandoned.withLock { if call.isRunning { $0.append(call) } }
    return nil
  }

  private func start(_ name: String, _ body: @escaping @Sendable () -> Value) -> BlockingCall<Value>
  {
    let call = BlockingCall<Value>(name: name)
    let run: @Sendable () -> Void = { [self] in
      call.finish(body())
      abandoned.withLock { $0.removeAll { $0 === call } }
    }
    if !startThread(run) {
      call.finish(
        .failure(GPSDError(.cannotConnect, systemError: .errno(EAGAIN), "no thread is left")))
    }
    return call
  }
}

/// A blocking call, and the point at which a task waits for it.
private final class BlockingCall<Value: Sendable>: Sendable {
  private struct State {
    var isRunning = true
    var value: Value?
    var waiting: WaitPoint?
  }

  let name: String
  private let state = Mutex(State())

  init(name: String) { self.name = name }

  var isRunning: Bool { state.withLock { $0.isRunning } }

  func finish(_ value: Value) {
    let waiting = state.withLock { state in
      state.isRunning = false
      state.value = value
      return state.waiting.take()
    }
    waiting?.signal()
  }

  func take(until deadline: Moment, _ wakeup: WaitPoint) async -> Value? {
    while true {
      let value = state.withLock { state in
        state.waiting = wakeup
        return state.value.take()
      }
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
