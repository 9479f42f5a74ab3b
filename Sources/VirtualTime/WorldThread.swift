#if canImport(Dispatch)
  import Dispatch
#endif

/// Where worlds run, one after another. What waits for them runs there, too: no thread has to wake another one.
final class WorldThread: TaskExecutor {
  /// A queue of its own: it runs beside other worlds, even if each thread of the shared pool waits.
  let queue = DispatchQueue(label: "virtual time")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
