#if os(Linux)
  extension QuietMoments {
    /// What somebody who waits is told.
    enum Answer {
      /// Nothing ran.
      case quiet
      /// Only threads ran that have computed for 20 ms since the clock was used last.
      case othersRan
      /// The limit was reached, or the task was cancelled.
      case gaveUp
    }

    /// What one look at the process has seen.
    struct Look {
      /// What changes when something runs.
      struct Counts: Hashable {
        /// How often threads have stopped to run.
        var switches: Int
        /// How many jobs there have been.
        var jobs: Int
        /// How many of them no thread has begun.
        var readyJobs: Int
      }

      /// The counts before the look at the threads.
      var before: Counts
      /// The threads that run, with their processor times in nanoseconds.
      var running: [Int32: Int64]
      /// The counts after the look at the threads.
      var after: Counts
      /// How many turns the main actor has had.
      var mainTurns: Int
      /// The turn that is asked for next.
      var nextTurn: Int

      /// Whether nothing ran: what has handed its work to somebody else, and sleeps now, has switched.
      var isQuiet: Bool { running.isEmpty && before == after && after.readyJobs == 0 }
    }

    /// What somebody who waits has seen of a clock and of threads.
    struct Watch: Sendable {
      /// A thread that has computed for as long, in nanoseconds, is none that a test waits for.
      private static let patience: Int64 = 20_000_000

      let clock: ManualClock
      /// Turns of other tasks in which the clock was not used.
      private(set) var quietTurns = 0
      /// The turn of the main actor that follows the first quiet look since a job became ready; `nil` before it.
      private(set) var awaitedTurn: Int?
      private var uses: Int
      /// How many jobs there had been at the last look.
      private var jobs = 0
      /// The processor times of threads when they were first seen to run.
      private var times: [Int32: Int64] = [:]

      init(_ clock: ManualClock) {
        self.clock = clock
        uses = clock.uses
      }

      /// Notes a turn of other tasks, which is whole if all began that were ready before it.
      mutating func noteTurn(isWhole: Bool) {
        quietTurns = isWhole ? quietTurns + 1 : 0
        awaitedTurn = nil
        noticeUses()
      }

      /// Returns the answer to a look; `nil` if another one is needed.
      mutating func answer(to look: Look, areJobsCounted: Bool) -> Answer? {
        noticeUses()
        if look.after.jobs != jobs { (jobs, awaitedTurn) = (look.after.jobs, nil) }
        if look.isQuiet {
          // A second look, because the list of threads may lack one while another one ends, too.
          if let awaitedTurn, look.mainTurns >= awaitedTurn {
            return areJobsCounted ? .quiet : .othersRan
          }
          awaitedTurn = awaitedTurn ?? look.nextTurn
        }
        return areOfOthers(look.running) ? .othersRan : nil
      }

      /// Begins anew if the clock was used.
      private mutating func noticeUses() {
        let uses = clock.uses
        guard uses != self.uses else { return }
        self.uses = uses
        quietTurns = 0
        times = [:]
      }

      /// Returns whether all threads that run have computed for long.
      private mutating func areOfOthers(_ running: [Int32: Int64]) -> Bool {
        times.merge(running) { first, _ in first }
        return !running.isEmpty
          && running.allSatisfy { thread, time in
            time - (times[thread] ?? time) >= Self.patience
          }
      }
    }
  }

  extension QuietMoments.Look.Counts {
    init(_ threads: OtherThreads) {
      self.init(switches: threads.switches, jobs: ReadyJobs.total, readyJobs: ReadyJobs.count)
    }
  }
#endif
