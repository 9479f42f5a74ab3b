#if canImport(Dispatch)
  import Dispatch
#endif
import CVirtualTime
import Synchronization

/// A job that has begun, and lets others run first: its thread waits.
final class PausedJob: Sendable {
  let lane: World.Lane
  /// The loop that runs the job.
  let loop: Int
  /// Signalled when the job continues.
  let continues = DispatchSemaphore(value: 0)

  init(lane: World.Lane, loop: Int) {
    self.lane = lane
    self.loop = loop
  }
}

extension World {
  /// Lets others run before an actor takes its next job, if that is the choice. A task has just left the actor.
  func leaveActor() {
    let next: (PausedJob, Turn, loop: Int)? = state.withLock { state in
      guard !state.hasEnded, !state.ready.isEmpty else { return nil }
      let paused = state.pause(of: 0)
      // Usually, the actor continues before the task that leaves it.
      state.ready.swapAt(state.ready.count - 1, state.ready.count - 2)
      let turn = state.begin(takeReady(&state))
      if case .resume(let other) = turn, other === paused { return nil }
      return (paused, turn, state.loop)
    }
    if let (paused, turn, loop) = next { wait(as: paused, while: turn, in: loop) }
  }

  #if os(Linux)
    static let canInterrupt = true
  #else
    // Whether a thread waits for a lock is known on Linux only.
    static let canInterrupt = false
  #endif

  /// Lets others run first, if that is the choice, where a job has made another one ready or is about to enter an
  /// actor.
  ///
  /// - Parameter job: The job that is ready now.
  func mayBeInterrupted(resuming job: UnownedJob? = nil) {
    // Others could do no more than wait for the lock of a task's status, or see nothing of what a task does at its end.
    guard let task = RuntimeTask.current, !vt_is_cancelling(), !task.hasEnded, !task.isLocked,
      job.flatMap(RuntimeTask.init)?.isLocked != true
    else { return }
    let number = task.number
    let next: (PausedJob, Turn, loop: Int, resumed: UInt64)? = state.withLock { state in
      guard !state.hasEnded, !state.isVoid, !state.isGivenUp, let last = state.ready.last,
        job == nil || last.task != number
      else { return nil }
      let open = Array(state.open(isMainHeld: state.isMainHeld || state.lane == .main).reversed())
      guard !open.isEmpty else { return nil }
      let place = state.choices.nextInterruption(below: open.count + 1)
      note.appendInterruption(place)
      guard place > 0 else { return nil }
      let ready = state.ready.remove(at: open[place - 1])
      story?.add(
        Choice(place: place, count: open.count + 1, isInterruption: true),
        at: state.clocks.first?.elapsed, ran: ready.task, before: number)
      let paused = state.pause(of: number)
      return (paused, state.begin(ready), state.loop, job == nil ? 0 : last.task)
    }
    if let (paused, turn, loop, resumed) = next {
      wait(as: paused, while: turn, in: loop, resuming: resumed)
    }
  }

  /// Waits until a paused job continues, while another thread runs jobs.
  ///
  /// - Parameter task: The number of the task that the job resumes; zero for none.
  private func wait(
    as paused: PausedJob, while turn: Turn, in loop: Int, resuming task: UInt64 = 0
  ) {
    if case .resume(let other) = turn {
      other.continues.signal()
    } else {
      HelperThreads.run { [self] in
        World.enter(self)
        if runJobs(loop, first: turn) { hasStopped.signal() }
        World.enter(nil)
      }
    }
    var last = (step: -1, count: 0)
    while paused.continues.wait(timeout: .now() + .milliseconds(2)) == .timedOut {
      let (thread, step) = state.withLock { ($0.hasEnded ? 0 : $0.thread, $0.totalCount) }
      let isBlocked = thread != 0 && vt_waits_for_thread(thread)
      last = (step, isBlocked ? (step == last.step ? last.count : 0) + 1 : 0)
      if last.count > 1, state.withLock({ $0.leave(paused, at: step, resuming: task) }) { break }
    }
    state.withLock { $0.thread = vt_thread() }
  }
}

extension World.State {
  /// Makes the job that runs one that is paused and ready, and begins a new loop.
  ///
  /// - Parameter task: The number of the job's task; zero for an actor.
  fileprivate mutating func pause(of task: UInt64) -> PausedJob {
    let paused = PausedJob(lane: lane, loop: loop)
    ready.append(World.ReadyJob(work: .resume(paused), lane: .pool, task: task))
    if lane == .main { isMainHeld = true }
    lastLoop += 1
    loop = lastLoop
    thread = 0
    return paused
  }

  /// Continues a paused job, because another one waits for a lock that it holds.
  ///
  /// - Parameters:
  ///   - step: The number of the job that waits.
  ///   - task: The number of the task that the paused job resumes.
  /// - Returns: `false` if the job does not wait any more.
  fileprivate mutating func leave(_ paused: PausedJob, at step: Int, resuming task: UInt64) -> Bool
  {
    let place = ready.firstIndex { ready in
      if case .resume(let other) = ready.work { other === paused } else { false }
    }
    guard totalCount == step, let place else { return false }
    strayCount += 1
    strayThread = thread
    _ = begin(ready.remove(at: place))
    // A lock of the runtime is held while the cancellation handler waits for that of the paused job.
    let isCancelled = ready.contains { ready in
      guard task != 0, ready.task == task, case .job(let job) = ready.work else { return false }
      return RuntimeTask(job)?.isLocked == true
    }
    if isCancelled {
      error = error ?? .lockOrder(tasks.label(of: task))
    } else {
      isVoid = true
    }
    return true
  }
}

/// Threads that run jobs while others wait. They are used again.
private enum HelperThreads {
  private static let idle = Mutex<[DispatchQueue]>([])

  static func run(_ work: @escaping @Sendable () -> Void) {
    let queue = idle.withLock { $0.popLast() } ?? DispatchQueue(label: "virtual time")
    queue.async {
      work()
      idle.withLock { $0.append(queue) }
    }
  }
}
