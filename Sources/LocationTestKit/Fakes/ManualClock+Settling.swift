import LocationCore

extension ManualClock {
  /// Waits until no task that uses this clock runs: all of them sleep, wait for something else, or have
  /// ended.
  ///
  /// ```swift
  /// source.forceLocation(sydney)
  /// await clock.settle()
  /// #expect(coordinator.location == sydney)
  /// ```
  ///
  /// Tasks count as waiting when the clock was not used while other tasks, on the main actor too, had
  /// eight turns (50 on systems other than Linux), and in the end no other thread of the process runs or would
  /// run if a processor were free. Clocks of tests that run at the same time settle one after another. That is
  /// exact as long as this test alone runs: a busy machine only makes it take longer. Three things cannot be seen:
  ///
  /// - Where other tests run at the same time, a thread that has computed for 20 ms of processor time since
  ///   the clock was used last is taken for theirs. So a task of this test that computes for longer, without
  ///   a look at the clock, is not waited for.
  /// - A task that waits for something outside of the process, such as a file, a server or a timer in real
  ///   time, counts as waiting.
  /// - Only Linux tells which threads run. On other systems, the turns alone count.
  ///
  /// Where a test knows what it waits for, a ``Collector`` is better.
  ///
  /// - Parameter limit: How long to wait, in real time.
  /// - Returns: `true` when everything waits; `false` if the limit was reached or the task was
  ///   cancelled first.
  @discardableResult
  public func settle(atMost limit: Swift.Duration = .seconds(300)) async -> Bool {
    let end = LocationClock.live.now.advanced(by: limit)
    var settling = Settling(clock: self)
    repeat {
      guard await TurnsToSettle.shared.take() else { return false }
      let isSettled = await settling.look()
      TurnsToSettle.shared.pass()
      if isSettled { return true }
    } while !Task.isCancelled && LocationClock.live.now < end
    return false
  }

  /// Runs a closure, and meanwhile advances the clock to the next deadline whenever everything waits.
  ///
  /// ```swift
  /// let found = await clock.whileAdvancing {
  ///   try? await source.currentLocation(timeout: .seconds(3600))  // Takes no time.
  /// }
  /// ```
  ///
  /// When it returns, the clock stands still again.
  ///
  /// - Parameter body: The closure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public func whileAdvancing<Result, Failure>(
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let driver = Task {
      while await waitForSleepers(atMost: nil), await settle() {
        if let next = nextDeadline { advance(by: now.duration(to: next)) }
      }
    }
    let result: Swift.Result<Result, Failure>
    do throws(Failure) {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    driver.cancel()
    await driver.value
    return try result.get()
  }
}

/// What one call of `settle` has seen.
private struct Settling {
  #if os(Linux)
    /// Turns of other tasks in which the clock was not used, until everything waits.
    private static let quietTurns = 8
  #else
    /// The same where nothing tells which threads run.
    private static let quietTurns = 50
  #endif
  /// Threads are looked at in the last two of them, because that costs more than a turn.
  private static let turnsWithoutThreads = quietTurns - 2
  /// Whoever waits for the turn to settle has it after as many turns of other tasks. On a busy machine
  /// they may take longer than the limit of `settle`.
  private static let turnsInARow = 200

  let clock: ManualClock
  private var threads = OtherThreads()
  private var quietTurns = 0
  private var uses: Int

  init(clock: ManualClock) {
    self.clock = clock
    uses = clock.uses
  }

  /// Looks until everything waits.
  ///
  /// - Returns: `false` if it does not after a number of turns, or the task was cancelled.
  mutating func look() async -> Bool {
    // Others have had a turn since the last look.
    quietTurns = min(quietTurns, Self.turnsWithoutThreads)
    for _ in 0..<Self.turnsInARow where !Task.isCancelled {
      // Behind the work that is ready.
      await LocationClock.turn()
      if clock.uses != uses {
        uses = clock.uses
        quietTurns = 0
        threads.watchAgain()
      } else if quietTurns < Self.turnsWithoutThreads || !threads.areRunning() {
        quietTurns += 1
      } else {
        // What runs may make other tasks ready. Others wait for it side by side.
        quietTurns = Self.turnsWithoutThreads
        if TurnsToSettle.shared.count > 0 { return false }
      }
      if quietTurns == Self.quietTurns { return true }
    }
    return false
  }
}
