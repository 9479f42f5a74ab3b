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
  /// Tasks count as waiting when no job of any task is ready, and no other thread of the process runs or would run
  /// if a processor were free. That is exact, also where several tests in virtual time run at the same time: a busy
  /// machine only makes it take longer. Three things cannot be seen:
  ///
  /// - Where other tests compute at the same time, a thread that has computed for 20 ms of processor time since
  ///   the clock was used last is taken for theirs, and what is ready has eight turns. So a task of this test that
  ///   computes for longer, without a look at the clock, is not waited for.
  /// - A task that waits for something outside of the process, such as a file, a server or a timer in real
  ///   time, counts as waiting.
  /// - Only Linux tells which threads run. On other systems, tasks count as waiting when the clock was not used while
  ///   other tasks, on the main actor too, had 50 turns.
  ///
  /// From the first clock on, the jobs of tasks pass through a hook of Swift's runtime, where they are counted. Where
  /// another library uses that hook, eight turns in which the clock was not used decide. Jobs of the main actor are
  /// not counted: it has a turn behind those that are ready.
  ///
  /// Where a test knows what it waits for, a ``Collector`` is better.
  ///
  /// - Parameter limit: How long to wait, in real time.
  /// - Returns: `true` when everything waits; `false` if the limit was reached or the task was
  ///   cancelled first.
  @discardableResult
  public func settle(atMost limit: Swift.Duration = .seconds(300)) async -> Bool {
    let end = LocationClock.live.now.advanced(by: limit)
    #if os(Linux)
      var watch = QuietMoments.Watch(self)
      while watch.quietTurns < 8 {
        switch await QuietMoments.shared.next(&watch, until: end) {
        case .quiet: return true
        case .gaveUp: return false
        case .othersRan: break
        }
        // Behind the work that is ready.
        let jobs = ReadyJobs.total
        await LocationClock.turn()
        watch.noteTurn(isWhole: ReadyJobs.haveBegun(jobs))
      }
    #else
      var (quietTurns, uses) = (0, uses)
      while quietTurns < 50 {
        if Task.isCancelled || LocationClock.live.now >= end { return false }
        await LocationClock.turn()
        quietTurns = uses == self.uses ? quietTurns + 1 : 0
        uses = self.uses
      }
    #endif
    return true
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
  /// Those that sleep until the same moment are woken one after another: scripts, in the order in which they were
  /// made, and then the one that slept first. When it returns, the clock stands still again. It does not return
  /// before the closure: one that never ends is better driven by ``run(for:)``.
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
