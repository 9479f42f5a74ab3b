import Dispatch

/// Runs jobs in the order in which they became ready. The global executor runs them side by side.
package final class OneAtATime: TaskExecutor {
  private let queue = DispatchQueue(label: "one at a time")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
