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

  private let loop: EventLoop
  let place: WaitPlace

  /// Creates a point that is signalled only by ``signal()``.
  package init(on loop: EventLoop) {
    self.loop = loop
    place = loop.addPlace(nil)
  }

  /// Creates a point that is also signalled while the descriptor is ready. Release the point before the
  /// descriptor is closed.
  package init(on loop: EventLoop, descriptor: CInt, for interest: Interest = .reading) {
    self.loop = loop
    place = loop.addPlace(WaitSource(descriptor, for: interest))
  }

  deinit { loop.removePlace(place) }

  /// Ends the wait, or the next one if no task waits. It may be called from any thread.
  package func signal() { loop.signal(place) }

  /// Waits until there is a signal, the deadline passes, or the task is cancelled, which counts as a
  /// signal.
  ///
  /// - Parameter deadline: By the uptime of the loop's clock; `nil` waits without a limit.
  package func wait(
    until deadline: Moment? = nil, isolation: isolated (any Actor)? = #isolation
  ) async -> WaitOutcome {
    return await withTaskCancellationHandler {
      // Only a closure that uses the isolation stays on its executor.
      _ = isolation
      return await loop.wait(at: place, until: deadline)
    } onCancel: {
      signal()
    }
  }

  /// Waits like ``wait(until:isolation:)``, and also for several descriptors, which may be others each time.
  ///
  /// They are watched during the wait only. No other point may wait for one of them at that time.
  package func wait(
    for sources: [WaitSource], until deadline: Moment? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async -> WaitOutcome {
    defer { loop.endWatch(sources) }
    guard loop.watch(sources, for: place) else { return .signalled }
    return await wait(until: deadline)
  }
}

extension WaitPoint: Arrival, WaitingPlace {
  package func tell(_ listener: Listener, as number: Int) {
    loop.begin(.listener(listener, number), at: place, until: nil)
  }

  package func stay(until deadline: Moment?) async {
    _ = await loop.wait(at: place, until: deadline)
  }
}

extension EventLoop: DescriptorWaiter {
  /// The machine's own clocks, or the played time, with the loop's waits.
  package var clock: LocationClock {
    let isPlayed = playedTime != nil
    return LocationClock(
      now: playedTime?.now ?? { @Sendable in LocationClock.live.now },
      wallError: { isPlayed ? nil : KernelClock.now.error },
      makePlace: { [self] in WaitPoint(on: self) },
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
