import Synchronization

extension ManualClock {
  /// Waits until all tasks in this virtual time are waiting, so that none is ready to run.
  ///
  /// ```swift
  /// model.search("ab")
  /// await clock.settle()
  /// #expect(model.isSearching)
  /// ```
  ///
  /// ``withVirtualTime(schedule:waitsForOutside:_:)`` describes which tasks belong to it. Outside of virtual time, the
  /// program stops with an error, because it cannot be known which tasks wait.
  ///
  /// - Returns: `false` if the task was cancelled first, or if the test has returned.
  @discardableResult
  public func settle() async -> Bool {
    await world.settle()
  }

  /// Advances the clock by a duration, and stops at every deadline on the way. At each deadline, it wakes all tasks
  /// that sleep until then, and waits until all tasks are waiting again. A task that sleeps for a second at a time
  /// therefore sleeps ten times in 10 s. Like ``settle()``, it works only in virtual time.
  ///
  /// ```swift
  /// cache.start()
  /// await clock.advance(by: .seconds(3600))
  /// #expect(server.requests.count == 60)
  /// ```
  ///
  /// - Parameter duration: The duration; a negative one has no effect.
  /// - Returns: `false` if the task was cancelled first, or if the test has returned. In that case, the clock stops at
  ///   the deadline that it had reached.
  @discardableResult
  public func advance(by duration: Swift.Duration) async -> Bool {
    let end = now.advanced(by: max(.zero, duration))
    repeat {
      guard await settle() else { return false }
    } while wakeNext(until: end)
    jump(by: now.duration(to: end))
    return await settle()
  }

  /// Advances the clock from deadline to deadline until no task sleeps, or only for ever: for 292 years or longer. If a
  /// task always sleeps again, such as a client that polls, use ``advance(by:)`` instead: after a million deadlines,
  /// the test fails. Like ``settle()``, it works only in virtual time.
  ///
  /// - Returns: `false` if the task was cancelled first, or if the test has returned.
  @discardableResult
  public func advanceUntilIdle() async -> Bool {
    repeat {
      guard await settle() else { return false }
      world.state.withLock { $0.rests.advanceCount += 1 }
    } while wakeNext()
    return true
  }

  /// Runs a closure, and advances the clock to the next deadline whenever all tasks are waiting.
  ///
  /// ```swift
  /// let answer = await clock.whileAdvancing {
  ///   try? await client.request(timeout: .seconds(3600))  // Takes no time.
  /// }
  /// ```
  ///
  /// Tasks that sleep until the same moment are woken together. After the method has returned, the clock stands still
  /// again. For a closure that never ends, use ``advance(by:)`` instead: after a million deadlines, the test fails.
  /// Like ``settle()``, it works only in virtual time. A task that sleeps for 292 years or longer sleeps for ever.
  ///
  /// - Parameter body: The closure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public func whileAdvancing<Result, Failure>(
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await world.advancing(self, during: body)
  }

  private var world: World {
    guard let world = World.current else {
      fatalError(
        "a ManualClock settles and advances itself only in virtual time: in withVirtualTime { clock in … }, or in a "
          + "test with the trait .virtualTime or .schedules(atMost:)")
    }
    return world
  }
}
