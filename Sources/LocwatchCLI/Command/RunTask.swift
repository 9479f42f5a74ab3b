import LocationCore
import LocwatchSystem
import Synchronization

/// Performs a run on its loop.
///
/// The actor keeps everything from the session to the output on one executor, so that no report
/// changes threads. The task prefers the loop as well, because continuations resume on the
/// preferred executor.
actor RunTask {
  private let run: Run

  init(_ run: Run) { self.run = run }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe run.loop.asUnownedSerialExecutor()
  }

  private func perform() async -> ExitStatus { await run.perform() }

  /// Starts the task of the run.
  ///
  /// - Parameter end: Called with the status, on the loop.
  nonisolated func start(then end: @escaping @Sendable (ExitStatus) -> Void) -> Task<Void, Never> {
    Task(executorPreference: run.loop) { [run, loop = run.loop] in
      await withTaskCancellationHandler {
        await Readiness.$waiter.withValue(loop) { end(await self.perform()) }
      } onCancel: {
        run.wakeups.interrupt()
      }
    }
  }
}

/// Cancels the task of a run from within.
final class RunCancellation: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)

  func attach(_ task: Task<Void, Never>) { self.task.withLock { $0 = task } }

  func cancel() { task.withLock(\.self)?.cancel() }
}
