/// Where a task waits for what it polls, by a clock.
package struct Waiter: Sendable {
  package let clock: LocationClock
  private let listener: Listener

  /// - Parameter executor: Where tasks for deadlines run by preference; `nil` for the shared thread pool.
  package init(by clock: LocationClock, on executor: (any TaskExecutor)? = nil) {
    self.clock = clock
    listener = Listener(at: clock.semaphore(on: executor))
  }

  /// Waits until the wait or the deadline is over, or the task is cancelled.
  package func wait(
    for wait: Wait, until deadline: Moment? = nil, isolation: isolated (any Actor)? = #isolation
  ) async {
    var wait = wait
    wait.end(by: deadline)
    wait.arrival?.tell(listener, as: 0)
    await withTaskCancellationHandler {
      // Only a closure that uses the isolation stays on its executor.
      _ = isolation
      await clock.wait(until: wait.deadline, hearing: listener, by: wait.move)
    } onCancel: {
      listener.interrupt()
    }
    listener.clear()
  }
}
