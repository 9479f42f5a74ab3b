import Synchronization

/// A point at which a reader waits until a connection has received something.
///
/// A reader that polls a connection, and waits here when nothing has arrived, suspends only once per report, however
/// many layers the connection has.
public protocol Arrival: AnyObject, Sendable {
  /// Waits until something has arrived, or until ``signal()`` is called. Cancellation of the task does not end the
  /// wait.
  ///
  /// - Parameter deadline: When to stop waiting; `nil` waits without a limit.
  /// - Returns: `false` if the deadline passed first.
  func hasCome(before deadline: Moment?) async -> Bool

  /// Ends the wait, or the next one if no task waits. It may be called from any thread.
  func signal()
}

/// The wait of a reader before it polls again.
public struct ArrivalWait: Sendable {
  package let arrival: any Arrival
  /// When to stop waiting and to read with a deadline; `nil` waits without a limit.
  package let deadline: Moment?

  /// Creates a wait.
  ///
  /// - Parameters:
  ///   - arrival: What ends the wait.
  ///   - deadline: When to stop waiting; `nil` waits without a limit.
  public init(for arrival: any Arrival, until deadline: Moment?) {
    self.arrival = arrival
    self.deadline = deadline
  }

  /// Waits until something has arrived or the task is cancelled.
  ///
  /// - Returns: `false` if the deadline passed first.
  package func hasCome(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    await withTaskCancellationHandler {
      // Only a closure that uses the isolation stays on its executor.
      _ = isolation
      return await arrival.hasCome(before: deadline)
    } onCancel: {
      arrival.signal()
    }
  }
}

/// Ends all waits of a task when it is cancelled, with one handler for all of them.
package final class Interruption: Sendable {
  private struct State {
    var isInterrupted = false
    var arrival: (any Arrival)?
  }

  private let state = Mutex(State())

  package init() {}

  /// Waits until something has arrived, or until ``interrupt()``.
  ///
  /// - Returns: `false` if the deadline passed first.
  package func hasCome(_ wait: ArrivalWait) async -> Bool {
    let isInterrupted = state.withLock { state in
      state.arrival = wait.arrival
      return state.isInterrupted
    }
    guard !isInterrupted else { return true }
    let hasCome = await wait.arrival.hasCome(before: wait.deadline)
    state.withLock { $0.arrival = nil }
    return hasCome
  }

  package func interrupt() {
    let arrival = state.withLock { state in
      state.isInterrupted = true
      return state.arrival
    }
    arrival?.signal()
  }
}
