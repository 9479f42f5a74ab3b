import LocationCore
import Synchronization

/// Calls that block and cannot be interrupted, each on a thread of its own.
///
/// Whoever waits for one may stop waiting. The call then runs out by itself; the next one who wants
/// the same adopts it instead of starting a second beside it, and where nobody does, its result is
/// let go.
final class BlockingCalls<Value: Sendable>: Sendable {
  private struct State {
    var running: Set<ObjectIdentifier> = []
    var abandoned: [String: BlockingCall<Value>] = [:]
  }

  private let state = Mutex(State())

  /// Makes the call that `name` stands for, or adopts the abandoned one, and blocks until it has a
  /// result.
  ///
  /// - Parameter wakeup: Ends the wait, where it is told to, for a look whether the task is cancelled.
  /// - Returns: `nil` at the deadline, and when the task is cancelled.
  func value(
    of name: String, until deadline: Moment, by clock: LocationClock, wakeup: Wakeup,
    _ body: @escaping @Sendable () -> Value
  ) -> Value? {
    let adopted = state.withLock { $0.abandoned.removeValue(forKey: name) }
    let call = adopted ?? start(name, body)
    if let value = call.take(until: deadline, by: clock, wakeup: wakeup) { return value }
    state.withLock { state in
      if state.running.contains(ObjectIdentifier(call)) { state.abandoned[name] = call }
    }
    return nil
  }

  private func start(_ name: String, _ body: @escaping @Sendable () -> Value) -> BlockingCall<Value>
  {
    let call = BlockingCall<Value>()
    state.withLock { _ = $0.running.insert(ObjectIdentifier(call)) }
    let run: @Sendable () -> Void = { [self] in
      call.bring(body())
      state.withLock { state in
        state.running.remove(ObjectIdentifier(call))
        if state.abandoned[name] === call { state.abandoned[name] = nil }
      }
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
    var value: Value?
    var waiting: Wakeup?
  }

  private let state = Mutex(State())

  func bring(_ value: Value) {
    let waiting = state.withLock { state in
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
