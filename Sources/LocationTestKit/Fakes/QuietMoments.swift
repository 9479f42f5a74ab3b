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
    static let shared = QuietMoments()

    private struct Waiting {
      let id: Int
      var watch: Watch
      let end: Moment
      let continuation: CheckedContinuation<(Answer, Watch), Never>
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
      let before = Look.Counts(others)
      let mainTurns = mainTurns.load(ordering: .sequentiallyConsistent)
      let running = others.running()
      let look = Look(
        before: before, running: running, after: Look.Counts(others), mainTurns: mainTurns,
        nextTurn: nextTurn)
      let (now, areJobsCounted) = (LocationClock.live.now, ReadyJobs.areCounted)
      var answers: [(Waiting, Answer)] = []
      let isTurnNeeded = state.withLock { state in
        var waiting: [Waiting] = []
        for var each in state.waiting {
          let givesUp = now >= each.end || state.cancelled.contains(each.id)
          let answer = each.watch.answer(to: look, areJobsCounted: areJobsCounted)
          if let answer = givesUp ? .gaveUp : answer {
            answers.append((each, answer))
          } else {
            waiting.append(each)
          }
        }
        state.waiting = waiting
        return waiting.contains { $0.watch.awaitedTurn == nextTurn }
      }
      // Who cancels a task holds a lock of that task, and waits for this one: so nothing is resumed inside.
      for (waiting, answer) in answers {
        waiting.continuation.resume(returning: (answer, waiting.watch))
      }
      return isTurnNeeded
    }
  }
#endif
