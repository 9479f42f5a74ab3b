#if canImport(Dispatch)
  import Dispatch
#endif

/// The executor of the main actor, once there is virtual time.
///
/// It runs jobs on the main queue, as the runtime's own executor does, and jobs of a ``World`` when it is their turn.
final class MainActorExecutor: SerialExecutor {
  private static let shared = MainActorExecutor()

  /// The executor, as the runtime's hook returns it.
  static var reference: UnownedSerialExecutor { unsafe shared.asUnownedSerialExecutor() }

  static func isReferenced(by executor: UnownedSerialExecutor) -> Bool {
    unsafe unsafeBitCast(executor, to: (UInt, UInt).self).0
      == UInt(bitPattern: ObjectIdentifier(shared))
  }

  /// Runs a job on the current thread, which runs the main queue.
  static func run(_ job: UnownedJob) { unsafe job.runSynchronously(on: reference) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if let world = RuntimeHooks.world(of: job) {
      world.enqueue(job, on: .main)
    } else {
      DispatchQueue.main.async { MainActorExecutor.run(job) }
    }
  }

  /// Code that ran on the main queue before there was virtual time has the runtime's executor.
  func checkIsolated() { dispatchPrecondition(condition: .onQueue(.main)) }
}
