#if os(Linux)
  #if canImport(Dispatch)
    import Dispatch
  #endif
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
  import LocationCore
  import Synchronization

  /// Tells those that wait for it of moments in which nothing in the process runs.
  ///
  /// A thread of its own looks at the others while somebody waits. One moment is for all that wait.
  final class QuietMoments: Sendable {
    enum Answer {
      /// Nothing ran.
      case quiet
      /// Only threads ran that have computed for 20 ms since the clock was used last.
      case othersRan
      /// The limit was reached, or the task was cancelled.
      case gaveUp
    }

    /// What somebody who waits has seen of a clock and of threads.
    struct Watch: Sendable {
      /// A thread that has computed for as long, in nanoseconds, is none that a test waits for.
      private static let patience: Int64 = 20_000_000

      let clock: ManualClock
      /// Turns of other tasks in which the clock was not used.
      private(set) var quietTurns = 0
      private var uses: Int
      /// The processor times of threads when they were first seen to run.
      private var times: [Int32: Int64] = [:]

      init(_ clock: ManualClock) {
        self.clock = clock
        uses = clock.uses
      }

      /// Notes a turn of other tasks, which is whole if all began that were ready before it.
      mutating func noteTurn(isWhole: Bool) {
        quietTurns = isWhole ? quietTurns + 1 : 0
        noticeUses()
      }

      /// Begins anew if the clock was used.
      mutating func noticeUses() {
        let uses = clock.uses
        guard uses != self.uses else { return }
        self.uses = uses
        quietTurns = 0
        times = [:]
      }

      /// Returns whether all threads that run have computed for long.
      mutating func areOfOthers(_ running: [Int32: Int64]) -> Bool {
        times.merge(running) { first, _ in first }
        return !running.isEmpty
          && running.allSatisfy { thread, time in
            time - (times[thread] ?? time) >= Self.patience
          }
      }
    }

    static let shared = QuietMoments()

    private struct Look {
      let running: [Int32: Int64]
      let isQuiet: Bool
      /// How many jobs there have been.
      let jobs: Int
      /// How many turns the main actor has had.
      let mainTurns: Int
      /// The turn that is asked for next.
      let nextTurn: Int
      let time: Moment
    }

    private struct Waiting {
      let id: Int
      var watch: Watch
      let end: Moment
      let continuation: CheckedContinuation<(Answer, Watch), Never>
      /// How many jobs there had been at the last look.
      var jobs = 0
      /// The turn of the main actor that follows the first quiet look since a job became ready; `nil` before it.
      var turn: Int?

      /// Returns the answer after a look; `nil` if another one is needed.
      mutating func answer(after look: Look, isCancelled: Bool) -> Answer? {
        if isCancelled || look.time >= end { return .gaveUp }
        watch.noticeUses()
        if look.jobs != jobs { (jobs, turn) = (look.jobs, nil) }
        if look.isQuiet {
          // A second look, because the list of threads may lack one while another one ends, too.
          if let turn, look.mainTurns >= turn { return ReadyJobs.areCounted ? .quiet : .othersRan }
          turn = turn ?? look.nextTurn
        }
        return watch.areOfOthers(look.running) ? .othersRan : nil
      }
    }

    private struct State {
      var waiting: [Waiting] = []
      var cancelled: Set<Int> = []
      var nextID = 0
      var hasThread = false
    }

    private let state = Mutex(State())
    /// Is signalled for each that waits.
    private let somebodyWaits = DispatchSemaphore(value: 0)
    /// How many of the turns that were asked for the main actor has had.
    private let mainTurns = Atomic(0)

    /// Waits for a quiet moment.
    ///
    /// - Parameters:
    ///   - watch: What was seen so far.
    ///   - end: When to stop, by the machine's clock.
    func next(_ watch: inout Watch, until end: Moment) async -> Answer {
      let id = state.withLock { state in
        defer { state.nextID += 1 }
        return state.nextID
      }
      let (answer, seen) = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let waiting = Waiting(id: id, watch: watch, end: end, continuation: continuation)
          let isSeen = state.withLock { state in
            // The thread lives as long as the process: one that ends would be seen to run.
            if !state.hasThread { state.hasThread = BlockingThread.start { self.lookForever() } }
            if state.hasThread { state.waiting.append(waiting) }
            return state.hasThread
          }
          guard isSeen else { return continuation.resume(returning: (.othersRan, watch)) }
          somebodyWaits.signal()
        }
      } onCancel: {
        state.withLock { _ = $0.cancelled.insert(id) }
      }
      state.withLock { _ = $0.cancelled.remove(id) }
      watch = seen
      return answer
    }

    private func lookForever() {
      let others = OtherThreads()
      var nextTurn = 1
      while true {
        somebodyWaits.wait()
        var pause: UInt32 = 20
        while state.withLock({ !$0.waiting.isEmpty }) {
          if look(at: others, nextTurn: nextTurn) {
            // Behind the jobs of the main actor, which are not counted.
            DispatchQueue.main.async { self.mainTurns.add(1, ordering: .sequentiallyConsistent) }
            nextTurn += 1
            pause = 20
          }
          usleep(pause)
          pause = min(pause * 2, 500)
        }
      }
    }

    /// Looks once, and answers those who need not wait longer.
    ///
    /// - Returns: Whether somebody waits for the next turn of the main actor.
    private func look(at others: OtherThreads, nextTurn: Int) -> Bool {
      let (switches, jobs) = (others.switches, ReadyJobs.total)
      let mainTurns = mainTurns.load(ordering: .sequentiallyConsistent)
      let running = others.running()
      // What has handed its work to somebody else, and sleeps now, has switched.
      let isQuiet =
        running.isEmpty && ReadyJobs.count == 0 && ReadyJobs.total == jobs
        && others.switches == switches
      let look = Look(
        running: running, isQuiet: isQuiet, jobs: jobs, mainTurns: mainTurns, nextTurn: nextTurn,
        time: LocationClock.live.now)
      var answers: [(Waiting, Answer)] = []
      let isTurnNeeded = state.withLock { state in
        var waiting: [Waiting] = []
        for var each in state.waiting {
          let isCancelled = state.cancelled.contains(each.id)
          if let answer = each.answer(after: look, isCancelled: isCancelled) {
            answers.append((each, answer))
          } else {
            waiting.append(each)
          }
        }
        state.waiting = waiting
        return waiting.contains { $0.turn == nextTurn }
      }
      // Who cancels a task holds a lock of that task, and waits for this one: so nothing is resumed inside.
      for (waiting, answer) in answers {
        waiting.continuation.resume(returning: (answer, waiting.watch))
      }
      return isTurnNeeded
    }
  }
#endif
