import Synchronization

/// Passes values one at a time to a task that waits for them, with or without a deadline.
package final class Mailbox<Value: Sendable>: Sendable {
  /// The result of a wait.
  package enum Outcome: Sendable {
    case value(Value)
    case gaveUp
  }

  private struct State {
    var value: Value?
    var waiter: CheckedContinuation<Outcome, Never>?
    /// The number of the current or last wait.
    var wait = 0
    /// Whether that wait was given up; a timer may fire before its task waits.
    var isGivenUp = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Sends a value, which replaces one that was not taken yet.
  package func send(_ value: Value) {
    let waiter = state.withLock { state in
      let waiter = state.waiter.take()
      if waiter == nil { state.value = value }
      return waiter
    }
    waiter?.resume(returning: .value(value))
  }

  /// Returns a value that was sent, without waiting; `nil` if there is none.
  func poll() -> Value? { state.withLock { $0.value.take() } }

  /// Waits for a value, unless the task is cancelled.
  package func take() async -> Outcome { await take(asWait: beginWait()) }

  /// Waits for a value until `deadline`, unless the task is cancelled; `nil` waits without a limit.
  ///
  /// - Parameter executor: Where the timer runs by preference; `nil` for the shared thread pool.
  package func take(
    until deadline: Moment?, by clock: LocationClock, on executor: (any TaskExecutor)? = nil
  ) async -> Outcome {
    let wait = beginWait()
    let timer = deadline.map { deadline in
      Task(executorPreference: executor) {
        try await clock.sleep(until: deadline)
        self.giveUp(wait)
      }
    }
    defer { timer?.cancel() }
    return await take(asWait: wait)
  }

  private func beginWait() -> Int {
    state.withLock { state in
      state.wait += 1
      state.isGivenUp = false
      return state.wait
    }
  }

  private func take(asWait wait: Int) async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome: Outcome? = state.withLock { state in
          if let value = state.value.take() { return .value(value) }
          if state.isGivenUp || Task.isCancelled { return .gaveUp }
          state.waiter = continuation
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      giveUp(wait)
    }
  }

  /// Ends a wait unless it is over, because the timer of an earlier wait may fire late.
  private func giveUp(_ wait: Int) {
    let waiter = state.withLock { state in
      guard wait == state.wait else { return CheckedContinuation<Outcome, Never>?.none }
      state.isGivenUp = true
      return state.waiter.take()
    }
    waiter?.resume(returning: .gaveUp)
  }
}
