import Synchronization

/// A task whose result is polled.
package final class PolledTask<Value: Sendable, Failure: Error>: Sendable {
  private final class Outcome: Sendable {
    let result = Mutex<Result<Value, Failure>?>(nil)
    let bell = Bell()
  }

  private let outcome = Outcome()
  private let task: Task<Void, Never>

  /// Starts the task.
  ///
  /// - Parameter executor: Where it runs by preference; `nil` for the shared thread pool.
  package init(
    on executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) {
    task = Task(executorPreference: executor) { [outcome] in
      let result: Result<Value, Failure>
      do throws(Failure) { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.result.withLock { $0 = result }
      outcome.bell.ring()
    }
  }

  /// Cancels the task, which would otherwise outlive a loop that is left early.
  deinit { cancel() }

  /// Rung when the task has ended.
  package var end: Bell { outcome.bell }

  /// The result; `nil` before the end.
  package var result: Result<Value, Failure>? { outcome.result.withLock(\.self) }

  package func cancel() { task.cancel() }
}
