import Dispatch
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
    var abandoned: [String: Rendezvous<Value>] = [:]
  }

  private let state = Mutex(State())

  /// Makes the call that `name` stands for, or adopts the abandoned one, and waits for its result.
  ///
  /// - Returns: `nil` at the deadline, and when the task is cancelled.
  func value(
    of name: String, until deadline: Moment, by clock: LocationClock,
    _ body: @escaping @Sendable () -> Value
  ) async -> Value? {
    let adopted = state.withLock { $0.abandoned.removeValue(forKey: name) }
    let result = adopted ?? start(name, body)
    if case .value(let value) = await result.take(until: deadline, by: clock) { return value }
    state.withLock { state in
      if state.running.contains(ObjectIdentifier(result)) { state.abandoned[name] = result }
    }
    return nil
  }

  private func start(_ name: String, _ body: @escaping @Sendable () -> Value) -> Rendezvous<Value> {
    let result = Rendezvous<Value>()
    state.withLock { _ = $0.running.insert(ObjectIdentifier(result)) }
    DispatchQueue(label: name).async { @Sendable [self] in
      result.bring(body())
      state.withLock { state in
        state.running.remove(ObjectIdentifier(result))
        if state.abandoned[name] === result { state.abandoned[name] = nil }
      }
    }
    return result
  }
}
