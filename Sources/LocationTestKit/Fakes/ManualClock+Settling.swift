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

  /// Advances the clock by a duration, through every deadline on the way: at each, it wakes those that sleep
  /// until then, one after another, and waits until everything waits again. So a task that sleeps a second at a
  /// time sleeps ten times in 10 s.
  ///
  /// ```swift
  /// source.force(.fix(.at(latitude: 48, longitude: 11)))
  /// await clock.run(for: .seconds(3600))
  /// #expect(lost.values.count == 1)
  /// ```
  ///
  /// - Parameter duration: How long; a negative one has no effect.
  /// - Returns: `false` if something did not wait within 300 s of real time, or the task was cancelled: then
  ///   the clock stands where it came to.
  @discardableResult
  public func run(for duration: Swift.Duration) async -> Bool {
    let end = now.advanced(by: max(.zero, duration))
    repeat {
      guard await settle() else { return false }
    } while wakeNext(until: end)
    advance(by: now.duration(to: end))
    return await settle()
  }

  /// Advances the clock through every deadline until nobody sleeps any more. It does not return while something
  /// always sleeps again, such as a client that reconnects: ``run(for:)`` ends.
  ///
  /// - Returns: `false` if something did not wait within 300 s of real time, or the task was cancelled.
  @discardableResult
  public func run() async -> Bool {
    repeat {
      guard await settle() else { return false }
    } while wakeNext()
    return true
  }

  /// Runs a closure, and meanwhile advances the clock to the next deadline whenever everything waits.
  ///
  /// ```swift
  /// let found = await clock.whileAdvancing {
  ///   try? await source.currentLocation(timeout: .seconds(3600))  // Takes no time.
  /// }
  /// ```
  ///
  /// Those that sleep until the same moment are woken one after another, the one that slept first before the
  /// others. When it returns, the clock stands still again. It does not return before the closure: one that
  /// never ends is better driven by ``run(for:)``.
  ///
  /// - Parameter body: The closure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public func whileAdvancing<Result, Failure>(
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let driver = Task {
      while await waitForSleepers(atMost: nil), await settle() {
        _ = wakeNext()
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
    private static let enoughTurns = 8
  #else
    /// The same where nothing tells which threads run.
    private static let enoughTurns = 50
  #endif
  /// Threads are looked at in the last two of them, because that costs more than a turn.
  private static let turnsWithoutThreads = enoughTurns - 2
  /// Whoever waits for the turn to settle has it after as many turns of other tasks. On a busy machine
  /// they may take longer than the limit of `settle`.
  private static let turnsInARow = 200

  let clock: ManualClock
  private var threads = OtherThreads()
  /// The turns in which the clock was not used, as far as no thread ran in them.
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
    for _ in 0..<Self.turnsInARow {
      if Task.isCancelled { return false }
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
      if quietTurns == Self.enoughTurns { return true }
    }
    return false
  }
}
