// The runtime asks an executor to wait only through a protocol that Swift 6.3 has not published. Elsewhere, a real sleep
// inside a world is not noticed.
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
  @_spi(ExperimentalScheduling) import _Concurrency
  #if canImport(Dispatch)
    import Dispatch
  #endif

  extension World: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      enqueue(UnownedJob(job), after: delay as? Duration)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      enqueue(UnownedJob(job), after: clock.now.duration(to: instant) as? Duration)
    }

    private func enqueue(_ job: UnownedJob, after delay: Duration?) {
      let delay = delay ?? .zero
      noteRealSleep(delay)
      let nanoseconds = max(0, min(delay / .nanoseconds(1), 1e18))
      DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) {
        self.enqueue(job, on: .pool)
      }
    }
  }
#endif
