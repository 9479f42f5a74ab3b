package import LocationCore

/// An attempt to open a session, which continues even if no caller waits for it.
package final class Opening: Sendable {
  /// Gets the error of the attempt, `nil` if the session is open.
  private let failure = Mailbox<LocationError?>()
  private let task: Task<Void, Never>
  private let executor: (any TaskExecutor)?

  /// Begins to open a session.
  ///
  /// - Parameter executor: Where the attempt runs by preference; `nil` for the shared thread pool.
  package init(
    _ session: any GPSDSession, to endpoint: GPSDEndpoint, on executor: (any TaskExecutor)?
  ) {
    self.executor = executor
    task = Task(executorPreference: executor) { [failure] in
      do throws(LocationError) {
        try await session.open(endpoint)
        failure.send(nil)
      } catch {
        failure.send(error)
      }
    }
  }

  /// Cancels the attempt, which would otherwise outlive a loop that is left early.
  deinit { task.cancel() }

  /// Waits until the session is open.
  ///
  /// - Returns: `false` if the deadline passes or the task is cancelled first.
  /// - Throws: The error of the attempt.
  package func isDone(
    until deadline: Moment?, by clock: LocationClock
  ) async throws(LocationError) -> Bool {
    switch await failure.take(until: deadline, by: clock, on: executor) {
    case .value(nil): return true
    case .value(let failure?): throw failure
    case .gaveUp: return false
    }
  }

  /// Cancels the attempt and waits for its end.
  package func cancel() async {
    task.cancel()
    await task.value
  }
}
