import CVirtualTime

/// The executor that the tasks of a ``World`` prefer, which passes their jobs to it.
///
/// A task with a preferred executor leaves an actor by a job of its own, and so does one that enters an actor: each of
/// them can be overtaken there. The executor is immortal, so such a task can outlive its world.
final class GlobalExecutor: TaskExecutor {
  fileprivate static let shared = GlobalExecutor()

  /// The executor, as jobs run on it.
  static var reference: UnownedTaskExecutor { unsafe shared.asUnownedTaskExecutor() }

  /// The runtime's own executor.
  private let original = globalConcurrentExecutor

  /// Has new tasks of worlds prefer this executor, has the current world know where a job can be interrupted, and
  /// replaces the runtime's, once.
  static func install() { _ = installation }

  private static let installation: Void = {
    let words = unsafe unsafeBitCast(reference, to: (UInt, UInt).self)
    vt_set_hooks(words.0, words.1) { World.current?.mayBeInterrupted() }
    #if os(Linux) && compiler(>=6.3) && compiler(<6.4)
      createExecutors(factory: Executors.self)
    #endif
  }()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if let world = RuntimeHooks.world(of: job) {
      world.enqueue(job, on: .pool)
    } else {
      original.enqueue(job)
    }
  }
}

// Swift 6.3 has a global executor that can be replaced, through declarations that it has not published. Elsewhere, what
// asks this executor directly leaves virtual time: `Task.yield()` in a task that `Task.immediate` started, and a real
// sleep in an actor.
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

  extension GlobalExecutor: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      World.current?.noteRealSleep(delay as? Duration)
      guard let scheduler = original as? any SchedulingExecutor else { return enqueue(job) }
      scheduler.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      World.current?.noteRealSleep(clock.now.duration(to: instant) as? Duration)
      guard let scheduler = original as? any SchedulingExecutor else { return enqueue(job) }
      scheduler.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
    }
  }

  private enum Executors: ExecutorFactory {
    static var mainExecutor: any MainExecutor { MainActor.executor }
    static var defaultExecutor: any TaskExecutor { GlobalExecutor.shared }
  }

  /// The corresponding C function is `swift_createExecutors`.
  @_silgen_name("swift_createExecutors")
  private func createExecutors<Factory: ExecutorFactory>(factory: Factory.Type)
#endif
