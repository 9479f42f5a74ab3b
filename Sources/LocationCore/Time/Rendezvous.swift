import Synchronization

/// Where one task waits for values that others bring, one at a time, and may give up waiting.
package final class Rendezvous<Value: Sendable>: Sendable {
  /// What ended a wait.
  package enum Outcome: Sendable {
    case value(Value)
    case gaveUp
  }

  private enum State {
    case empty
    case waiting(CheckedContinuation<Outcome, Never>)
    case full(Value)
  }

  private let state = Mutex(State.empty)

  package init() {}

  /// Brings a value; it stays until somebody takes it.
  package func bring(_ value: Value) {
    let waiter: CheckedContinuation<Outcome, Never>? = state.withLock { state in
      guard case .waiting(let waiter) = state else {
        state = .full(value)
        return nil
      }
      state = .empty
      return waiter
    }
    waiter?.resume(returning: .value(value))
  }

  /// Ends the wait that is under way, if there is one.
  package func giveUp() {
    let waiter: CheckedContinuation<Outcome, Never>? = state.withLock { state in
      guard case .waiting(let waiter) = state else { return nil }
      state = .empty
      return waiter
    }
    waiter?.resume(returning: .gaveUp)
  }

  /// Waits for a value. A cancelled task does not wait.
  package func take() async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome: Outcome? = state.withLock { state in
          if case .full(let value) = state {
            state = .empty
            return .value(value)
          }
          if Task.isCancelled { return .gaveUp }
          state = .waiting(continuation)
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      giveUp()
    }
  }

  /// Waits for a value until `deadline`; for ever where that is `nil`.
  package func take(until deadline: Moment?, by clock: LocationClock) async -> Outcome {
    let timer = deadline.map { deadline in
      Task { if await clock.sleep(until: deadline) { giveUp() } }
    }
    defer { timer?.cancel() }
    return await take()
  }
}
