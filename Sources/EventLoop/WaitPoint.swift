package import LocationCore

/// Where one task at a time waits on an ``EventLoop``: for a descriptor, for another thread, or for
/// nothing but time.
package final class WaitPoint: Sendable {
  /// What a descriptor is awaited for.
  package enum Interest: CInt, Sendable {
    case reading = 0
    case writing = 1
    /// The other side is gone, and can neither read nor write.
    case hangUp = 2
    case readingAndWriting = 3
    /// The other side sends nothing more.
    case end = 4
  }

  /// Names a point in its loop: an index, and how often that was used before.
  struct ID: Hashable, Sendable {
    var index: UInt32
    var use: UInt32

    init(index: Int, use: UInt32) {
      self.index = UInt32(index)
      self.use = use
    }

    init(_ token: UInt64) {
      index = UInt32(truncatingIfNeeded: token)
      use = UInt32(truncatingIfNeeded: token >> 32)
    }

    var token: UInt64 { UInt64(use) << 32 | UInt64(index) }
  }

  private let loop: EventLoop
  let id: ID

  /// Creates a point that is signalled only by ``signal()``.
  package init(on loop: EventLoop) {
    self.loop = loop
    id = loop.addPoint(nil)
  }

  /// Creates a point that is also signalled while the descriptor is ready. Release the point before the descriptor is
  /// closed.
  package init(on loop: EventLoop, descriptor: CInt, for interest: Interest = .reading) {
    self.loop = loop
    id = loop.addPoint(AwaitedDescriptor(descriptor, for: interest))
  }

  deinit { loop.removePoint(id) }

  /// Ends the wait, or the next one if no task waits. It may be called from any thread.
  package func signal() { loop.signal(id) }

  /// Waits until there is a signal, the deadline passes, or the task is cancelled, which counts as a signal.
  ///
  /// - Parameter deadline: By the uptime of the loop's clock; `nil` waits without a limit.
  package func wait(
    until deadline: Moment? = nil, isolation: isolated (any Actor)? = #isolation
  ) async -> WaitOutcome {
    return await withTaskCancellationHandler {
      // Only a closure that uses the isolation stays on its executor.
      _ = isolation
      return await loop.wait(at: id, until: deadline)
    } onCancel: {
      signal()
    }
  }

  /// Waits like ``wait(until:isolation:)``, and also for several descriptors, which may be others each time.
  ///
  /// They are watched during the wait only. No other point may wait for one of them at that time.
  package func wait(
    for sources: [AwaitedDescriptor], until deadline: Moment? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async -> WaitOutcome {
    defer { loop.endWatch(sources) }
    guard loop.watch(sources, for: id) else { return .signalled }
    return await wait(until: deadline)
  }
}

extension WaitPoint: Arrival, Semaphore {
  package func tell(_ listener: Listener, as number: Int) {
    loop.begin(.listener(listener, number), at: id, until: nil)
  }

  package func stay(until deadline: Moment?) async {
    _ = await loop.wait(at: id, until: deadline)
  }
}

extension EventLoop: DescriptorWaiter {
  /// The machine's own clocks, or the played time, with the loop's waits.
  package var clock: LocationClock {
    let isPlayed = playedTime != nil
    return LocationClock(
      now: playedTime?.now ?? { @Sendable in LocationClock.live.now },
      wallError: { isPlayed ? nil : KernelClock.now.error },
      makeSemaphore: { [self] in WaitPoint(on: self) },
      sleepUntil: { [self] deadline in
        let outcome = await WaitPoint(on: self).wait(until: deadline)
        if outcome == .signalled { throw CancellationError() }
      })
  }

  /// Waits until all that is due has run, and what has waited again or was woken by it.
  package func settle() async {
    let (point, clock) = (WaitPoint(on: self), clock)
    for _ in 0..<3 { _ = await point.wait(until: clock.now) }
  }

  package func waitUntilReadable(_ descriptor: CInt) async {
    _ = await WaitPoint(on: self, descriptor: descriptor).wait()
  }
}
