import Synchronization

/// Where one task waits for values that others bring, one at a time, and may give up waiting.
package final class Rendezvous<Value: Sendable>: Sendable {
  /// What ended a wait.
  package enum Outcome: Sendable {
    case value(Value)
    case gaveUp
  }

  private struct State {
    var value: Value?
    var waiter: CheckedContinuation<Outcome, Never>?
    /// The number of the wait that is under way, or was last.
    var wait = 0
    /// Whether that wait is over before it began: a timer may ring before its task waits.
    var isGivenUp = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Brings a value; it stays until somebody takes it.
  package func bring(_ value: Value) {
    let waiter = state.withLock { state in
      let waiter = state.waiter.take()
      if waiter == nil { state.value = value }
      return waiter
    }
    waiter?.resume(returning: .value(value))
  }

  /// Waits for a value. A cancelled task does not wait.
  package func take() async -> Outcome { await take(asWait: beginWait()) }

  /// Waits for a value until `deadline`; for ever where that is `nil`. A cancelled task does not
  /// wait.
  package func take(until deadline: Moment?, by clock: LocationClock) async -> Outcome {
    let wait = beginWait()
    let timer = deadline.map { deadline in
      Task { if await clock.sleep(until: deadline) { giveUp(wait) } }
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

  /// Ends a wait, unless it is over already: the timer of an earlier one may ring late.
  private func giveUp(_ wait: Int) {
    let waiter = state.withLock { state in
      guard wait == state.wait else { return CheckedContinuation<Outcome, Never>?.none }
      state.isGivenUp = true
      return state.waiter.take()
    }
    waiter?.resume(returning: .gaveUp)
  }
}
