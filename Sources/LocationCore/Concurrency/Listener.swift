import Synchronization

/// Where one reader waits for several arrivals, each of which has a number.
package final class Listener: Sendable {
  private struct State {
    var heard: [Int] = []
    /// Whether the wait is over, although nothing has come.
    var isInterrupted = false
    var isAwaited = false
    /// The listener that is told when this one hears something.
    var outer: (listener: Listener, number: Int)?

    var hasHeard: Bool { !heard.isEmpty || isInterrupted }
  }

  private let state = Mutex(State())
  private let semaphore: (any Semaphore)?

  /// Creates a listener at which a task waits.
  package init(at semaphore: any Semaphore) { self.semaphore = semaphore }

  /// Creates a listener that is an arrival of another one.
  init() { semaphore = nil }

  /// Called by an arrival. It may be called from any thread.
  package func hear(_ number: Int) { end { $0.heard.append(number) } }

  /// Ends the wait, or the next one if nobody waits. It may be called from any thread.
  package func interrupt() { end { $0.isInterrupted = true } }

  private func end(_ record: (inout State) -> Void) {
    let (outer, isAwaited) = state.withLock { state in
      record(&state)
      defer { state.isAwaited = false }
      return (state.outer.take(), state.isAwaited)
    }
    outer?.listener.hear(outer?.number ?? 0)
    if isAwaited { semaphore?.signal() }
  }

  /// Moves the numbers of the arrivals to an empty list, each as often as it was heard.
  package func take(into numbers: inout [Int]) {
    state.withLock { state in
      swap(&numbers, &state.heard)
      state.isInterrupted = false
    }
  }

  /// Forgets what was heard.
  func clear() {
    var ignored: [Int] = []
    take(into: &ignored)
  }

  /// Whether a wait would be over at once.
  package var hasHeard: Bool { state.withLock(\.hasHeard) }

  /// Waits until something has come, or until a moment by the clock of its semaphore. Whoever cancels the task has to call
  /// ``interrupt()``.
  package func wait(until deadline: Moment?) async {
    let isToWait = state.withLock { state in
      state.isAwaited = !state.hasHeard
      return state.isAwaited
    }
    if isToWait { await semaphore?.stay(until: deadline) }
  }
}

extension Listener: Arrival {
  package func signal() { interrupt() }

  package func tell(_ listener: Listener, as number: Int) {
    let hasHeard = state.withLock { state in
      state.outer = state.hasHeard ? nil : (listener, number)
      return state.hasHeard
    }
    if hasHeard { listener.hear(number) }
  }
}

/// Where one task waits for a signal, until a moment by some clock.
package protocol Semaphore: Sendable {
  /// Waits until ``signal()`` or the deadline.
  func stay(until deadline: Moment?) async
  /// Ends the wait, or the next one if the task does not wait. It may be called from any thread.
  func signal()
}

/// A semaphore to wait at by any clock, with a task for each deadline.
final class ClockSemaphore: Semaphore {
  private let clock: LocationClock
  private let executor: (any TaskExecutor)?
  private let mailbox = Mailbox<Void>()

  init(_ clock: LocationClock, on executor: (any TaskExecutor)?) {
    self.clock = clock
    self.executor = executor
  }

  func signal() { mailbox.send(()) }
  func stay(until deadline: Moment?) async {
    _ = await mailbox.take(until: deadline, by: clock, on: executor)
  }
}
