import Dispatch
import Glibc
import Synchronization

/// Runs jobs on the thread that makes it and then calls ``run(until:)``, one after the other.
///
/// The session and the loop that reads it both run here, so that a report goes from poll(2) to
/// write(2) without a change of thread. While the session waits for gpsd, the thread blocks.
package final class MainThreadExecutor: SerialExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isFinished = false
  }

  private let thread = pthread_self()
  private let state = Mutex(State())
  private let signal = DispatchSemaphore(value: 0)

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    signal.signal()
  }

  package func isIsolatingCurrentContext() -> Bool? { pthread_equal(thread, pthread_self()) != 0 }

  /// Runs jobs until ``finish()``.
  package func run() {
    while true {
      signal.wait()
      let (jobs, isFinished) = state.withLock { state in
        defer { state.jobs.removeAll(keepingCapacity: true) }
        return (state.jobs, state.isFinished)
      }
      for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
      if isFinished { return }
    }
  }

  /// Lets ``run()`` return.
  package func finish() {
    state.withLock { $0.isFinished = true }
    signal.signal()
  }
}
