import LocationCore
import Synchronization

/// Calls that block and cannot be interrupted, each on a thread of its own.
///
/// Whoever waits for one may stop waiting. The call then runs out by itself; the next one who wants
/// the same adopts it instead of starting a second beside it, and where nobody does, its result is
/// let go.
final class BlockingCalls<Value: Sendable>: Sendable {
  private let abandoned = Mutex<[BlockingCall<Value>]>([])

  /// Makes the call that `name` stands for, or adopts the abandoned one, and blocks until it has a
  /// result.
  ///
  /// - Parameter wakeup: Ends the wait, where it is told to, for a look whether the task is cancelled.
  /// - Returns: `nil` at the deadline, and when the task is cancelled.
  func value(
    of name: String, until deadline: Moment, by clock: LocationClock, wakeup: Wakeup,
    _ body: @escaping @Sendable () -> Value
  ) -> Value? {
    let adopted = abandoned.withLock { calls in
      calls.firstIndex { $0.name == name }.map { calls.remove(at: $0) }
    }
    let call = adopted ?? start(name, body)
    if let value = call.take(until: deadline, by: clock, wakeup: wakeup) { return value }
    abandoned.withLock { if call.isRunning { $0.append(call) } }
    return nil
  }

  private func start(_ name: String, _ body: @escaping @Sendable () -> Value) -> BlockingCall<Value>
  {
    let call = BlockingCall<Value>(name: name)
    let run: @Sendable () -> Void = { [self] in
      call.bring(body())
      abandoned.withLock { $0.removeAll { $0 === call } }
    }
    // Without a thread it takes as long as it takes.
    if !BlockingThread.start(run) { run() }
    return call
  }
}

/// One of them, on its way to whoever waits for it.
private final class BlockingCall<Value: Sendable>: Sendable {
  /// A wait goes by the clock, and poll(2) does not know what a clock may skip.
  private static var longestWait: Nanoseconds { .seconds(1) }

  private struct State {
    var isRunning = true
    var value: Value?
    var waiting: Wakeup?
  }

  let name: String
  private let state = Mutex(State())

  init(name: String) { self.name = name }

  var isRunning: Bool { state.withLock { $0.isRunning } }

  func bring(_ value: Value) {
    let waiting = state.withLock { state in
      state.isRunning = false
      state.value = value
      return state.waiting
    }
    waiting?.signal()
  }

  func take(until deadline: Moment, by clock: LocationClock, wakeup: Wakeup) -> Value? {
    while true {
      let value = state.withLock { state in
        state.waiting = wakeup
        return state.value.take()
      }
      if let value { return value }
      let now = clock.now
      if Task.isCancelled || deadline <= now {
        state.withLock { $0.waiting = nil }
        return nil
      }
      wakeup.wait(timeout: min(now.nanoseconds(to: deadline), Self.longestWait))
    }
  }
}
