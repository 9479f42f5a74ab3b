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
  /// 50 turns, and in the end no other thread of the process runs or would run if a processor were free.
  /// That is exact as long as this test alone runs: a busy machine only makes it take longer. Three things
  /// cannot be seen:
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
    let realTime = LocationClock.live
    let end = realTime.now.advanced(by: limit)
    var threads = OtherThreads()
    var (turns, quietTurns) = (0, 0)
    var seen = uses
    while quietTurns < 50 {
      // On a busy machine, 200 turns may take longer than the limit.
      guard !Task.isCancelled, turns < 200 || realTime.now < end else { return false }
      turns += 1
      // Behind the work that is ready.
      await LocationClock.turn()
      let uses = uses
      if uses != seen {
        (seen, quietTurns) = (uses, 0)
        threads.watchAgain()
      } else if quietTurns < 45 || !threads.areRunning() {
        quietTurns += 1
      } else {
        // What runs may make other tasks ready.
        quietTurns = 45
      }
    }
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
