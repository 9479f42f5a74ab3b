#if canImport(Dispatch)
  import Dispatch
#endif
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

  /// Waits until a paused job continues, while another thread runs jobs.
  private func wait(as paused: PausedJob, while turn: Turn, in loop: Int) {
    if case .resume(let other) = turn {
      other.continues.signal()
    } else {
      HelperThreads.run { [self] in
        World.enter(self)
        if runJobs(loop, first: turn) { hasStopped.signal() }
        World.enter(nil)
      }
    }
    paused.continues.wait()
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
    return paused
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
