package import LocationCore

/// An attempt to open a session, which goes on while nobody waits for it.
package final class Opening: Sendable {
  private let result = Mailbox<Result<Void, GPSDError>>()
  private let task: Task<Void, Never>
  private let executor: (any TaskExecutor)?

  /// Begins to open a session.
  ///
  /// - Parameter executor: Where the attempt runs by preference; `nil` for the shared thread pool.
  package init(
    _ session: any GPSDSession, to endpoint: GPSDEndpoint, on executor: (any TaskExecutor)?
  ) {
    self.executor = executor
    task = Task(executorPreference: executor) { [result] in
      do throws(GPSDError) {
        result.send(.success(try await session.open(endpoint)))
      } catch {
        result.send(.failure(error))
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
  ) async throws(GPSDError) -> Bool {
    switch await result.take(until: deadline, by: clock, on: executor) {
    case .value(let result):
      try result.get()
      return true
    case .gaveUp:
      return false
    }
  }

  /// Cancels the attempt and waits for its end.
  package func cancel() async {
    task.cancel()
    await task.value
  }
}
