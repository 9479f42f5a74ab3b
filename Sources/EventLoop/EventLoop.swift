import CLinux
import Glibc
import LocationCore
import Synchronization

/// An executor whose thread also waits: for descriptors, for deadlines, and for other threads.
///
/// ``run()`` runs the jobs that are there. When there are none, it sleeps in epoll until one of its
/// ``WaitPoint``s is due, and resumes the task that waits at it. So a report goes from the descriptor
/// to the output without a change of thread, however many sources there are.
///
/// Each turn of the loop asks the system what is ready, and resumes each waiting task once: a
/// descriptor that is always ready has its turn, and no more. A descriptor that is ready while no task
/// waits for it is not watched until one does, so that it cannot keep the loop awake.
@safe package final class EventLoop: SerialExecutor, TaskExecutor {
  /// The loop of the library, on a thread of its own that starts with its first use; `nil` if the
  /// system has no descriptor or thread left. In that case the next use tries again.
  package static var shared: EventLoop? {
    running.withLock { running in
      if running == nil, let loop = EventLoop(), BlockingThread.start({ loop.run() }) {
        running = loop
      }
      return running
    }
  }

  private static let running = Mutex<EventLoop?>(nil)

  private static let wakeupToken = UInt64.max
  private static let timerToken = UInt64.max - 1

  private let epoll: CInt
  /// An eventfd that ends the sleep of the loop.
  private let wakeup: CInt
  /// A timer on CLOCK_BOOTTIME, which continues while the machine is suspended.
  private let timer: CInt
  /// `nil` for the time of the machine.
  let playedTime: PlayedTime?
  /// The thread that runs the loop; 0 before there is one.
  private let thread = Atomic<UInt>(0)
  private let state = Mutex(State())

  /// Creates a loop, which does nothing before ``run()``; `nil` if the system has no descriptor
  /// left.
  ///
  /// - Parameter playedTime: The time of its clock; `nil` for the time of the machine.
  package init?(in playedTime: PlayedTime? = nil) {
    self.playedTime = playedTime
    epoll = lw_epoll_create()
    wakeup = lw_eventfd_create()
    timer = lw_timer_create()
    guard epoll >= 0, wakeup >= 0, timer >= 0,
      lw_epoll_add(epoll, wakeup, 0, Self.wakeupToken) == 0,
      lw_epoll_add(epoll, timer, 0, Self.timerToken) == 0
    else { return nil }
  }

  deinit {
    for descriptor in [epoll, wakeup, timer] where descriptor >= 0 { _ = close(descriptor) }
  }

  // MARK: Running jobs

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    change { state in
      state.jobs.append(job)
      return true
    }
  }

  package func isIsolatingCurrentContext() -> Bool? {
    thread.load(ordering: .relaxed) == UInt(pthread_self())
  }

  package func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "this is not the thread of the event loop")
  }

  /// Runs jobs and waits, on this thread, until ``finish()``.
  package func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    var jobs: [UnownedJob] = []
    while let sleep = state.withLock({ $0.beginSleep() }) {
      resumeDue(after: sleep)
      // Jobs that come meanwhile have to wait until the system was asked again.
      state.withLock { swap(&jobs, &$0.jobs) }
      for job in jobs {
        unsafe job.runSynchronously(
          isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      }
      jobs.removeAll(keepingCapacity: true)
    }
  }

  /// Makes ``run()`` return.
  package func finish() {
    change { state in
      state.isFinished = true
      return true
    }
  }

  /// Resumes the tasks that wait for what is due after a sleep.
  private func resumeDue(after sleep: Sleep) {
    if let ring = sleep.ring, playedTime == nil { _ = lw_timer_set(timer, max(1, ring)) }
    let waits = sleep.waits && playedTime == nil
    var tokens = InlineArray<64, UInt64>(repeating: 0)
    var span = tokens.mutableSpan
    let count = unsafe span.withUnsafeMutableBufferPointer {
      unsafe lw_epoll_wait(epoll, $0.baseAddress!, CInt($0.count), waits ? -1 : 0)
    }
    resume(tokens.span.extracting(0..<Int(max(0, count))))
    if let playedTime { pass(playedTime) }
  }

  /// Resumes the tasks whose deadline has passed in a played time, which passes if no job is left then.
  private func pass(_ time: PlayedTime) {
    let due = state.withLock { $0.takeDue(at: time.now().uptimeNanoseconds) }
    for sleeper in due { sleeper.wake(.timedOut) }
    let (isIdle, next) = state.withLock { ($0.isIdle, $0.earliest) }
    if isIdle { time.rest(next == .max ? nil : Moment(uptimeNanoseconds: next, wall: nil)) }
  }

  /// Changes the state, and wakes the loop if `body` returns `true` and the loop sleeps.
  private func change(_ body: (inout State) -> Bool) {
    let isToWake = state.withLock { state in body(&state) && state.endSleep() }
    guard isToWake else { return }
    var one: UInt64 = 1
    _ = unsafe write(wakeup, &one, 8)
  }

  // MARK: Waiting

  /// Resumes the tasks that wait for what the system reported, or for a deadline that has passed.
  private func resume(_ tokens: Span<UInt64>) {
    var signalled: [Sleeper] = []
    var due: [Sleeper] = []
    var count: UInt64 = 0
    state.withLock { state in
      state.isAsleep = false
      swap(&signalled, &state.ready)
      for index in tokens.indices {
        switch tokens[index] {
        case Self.wakeupToken: _ = unsafe read(wakeup, &count, 8)
        case Self.timerToken:
          _ = unsafe read(timer, &count, 8)
          due = state.takeDue(at: LocationClock.live.now.uptimeNanoseconds)
        case let token:
          switch state.report(WaitPoint.ID(token)) {
          case .wake(let sleeper): signalled.append(sleeper)
          case .endWatch(let descriptor): _ = lw_epoll_remove(epoll, descriptor)
          case .nothing: break
          }
        }
      }
    }
    for sleeper in signalled { sleeper.wake(.signalled) }
    for sleeper in due { sleeper.wake(.timedOut) }
  }

  /// Returns a point to wait at, for a descriptor if there is one.
  func addPoint(_ source: AwaitedDescriptor?) -> WaitPoint.ID {
    state.withLock { $0.addPoint(source) }
  }

  func watches(_ point: WaitPoint.ID) -> Bool { state.withLock { $0.watches(point) } }

  func removePoint(_ point: WaitPoint.ID) {
    let sleeper = state.withLock { state in
      if let descriptor = state.endWatch(at: point) { _ = lw_epoll_remove(epoll, descriptor) }
      defer { state.removePoint(point) }
      return state.takeSleeper(at: point)
    }
    // A listener is released here, because that may remove a point, too.
    withExtendedLifetime(sleeper) {}
  }

  // Inlined, because a frame less is less memory for each task that waits.
  @inline(__always)
  func wait(at point: WaitPoint.ID, until deadline: Moment?) async -> WaitOutcome {
    return await unsafe withUnsafeContinuation { continuation in
      unsafe begin(.task(continuation), at: point, until: deadline)
    }
  }

  /// Has the system watch the descriptor of a point where a task waits.
  private func watch(_ point: WaitPoint.ID, _ state: inout State) {
    guard let source = state.beginWatch(at: point),
      lw_epoll_add(epoll, source.descriptor, source.interest.rawValue, point.token) != 0
    else { return }
    // What cannot be watched, such as a file, never blocks.
    state.refuseWatch(at: point)
  }

  /// Has the system watch descriptors for a point that has none of its own.
  ///
  /// - Returns: `false` if one of them cannot be watched.
  func watch(_ sources: [AwaitedDescriptor], for point: WaitPoint.ID) -> Bool {
    sources.allSatisfy {
      lw_epoll_add(epoll, $0.descriptor, $0.interest.rawValue, point.token) == 0
    }
  }

  func endWatch(_ sources: [AwaitedDescriptor]) {
    for source in sources { _ = lw_epoll_remove(epoll, source.descriptor) }
  }

  /// Has a task or a listener wait at a point.
  func begin(_ sleeper: Sleeper, at point: WaitPoint.ID, until deadline: Moment?) {
    var replaced: Sleeper?
    change { state in
      replaced = state.begin(sleeper, at: point, until: deadline?.uptimeNanoseconds ?? .max)
      watch(point, &state)
      return state.needsTurn
    }
    // A listener is released here, because that may remove a point.
    withExtendedLifetime(replaced) {}
  }

  /// Ends the wait at a point; the next one, if nobody waits there.
  func signal(_ point: WaitPoint.ID) {
    var sleeper: Sleeper?
    change { state in
      sleeper = state.takeSleeper(at: point)
      guard sleeper == nil else { return false }
      state.keepSignal(at: point)
      return true
    }
    sleeper?.wake(.signalled)
  }
}

/// What ended a wait.
package enum WaitOutcome: Sendable {
  /// The descriptor is ready, or another thread signalled.
  case signalled
  /// The deadline passed.
  case timedOut
}
