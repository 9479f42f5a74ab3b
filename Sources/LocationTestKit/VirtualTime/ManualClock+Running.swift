import LocationCore

extension ManualClock {
  /// Waits until everything in this virtual time waits: no task is ready to run.
  ///
  /// ```swift
  /// source.forceLocation(sydney)
  /// await clock.settle()
  /// #expect(coordinator.location == sydney)
  /// ```
  ///
  /// ``withVirtualTime(seed:_:)`` says what belongs to it. Outside of virtual time, it cannot be known what waits, and
  /// the program stops with an error.
  ///
  /// - Returns: `false` if the task was cancelled first.
  @discardableResult
  public func settle() async -> Bool {
    guard let world = World.current else {
      fatalError("a ManualClock settles and runs only inside of withVirtualTime { clock in … }")
    }
    return await world.settle()
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
  /// - Returns: `false` if the task was cancelled first: then the clock stands where it came to.
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
  /// - Returns: `false` if the task was cancelled first.
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
