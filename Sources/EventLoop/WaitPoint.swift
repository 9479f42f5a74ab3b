package import LocationCore

/// Where one task at a time waits on an ``EventLoop``: for a descriptor, for another thread, or for
/// nothing but time.
package final class WaitPoint: Sendable {
  /// What a descriptor is awaited for.
  package enum Interest: Sendable {
    case reading
    case writing
  }

  private let loop: EventLoop
  let place: WaitPlace

  /// Creates a point that is signalled by ``signal()`` alone.
  package init(on loop: EventLoop) {
    self.loop = loop
    place = loop.addPlace(nil)
  }

  /// Creates a point that is also signalled while the descriptor is ready. Release the point before the
  /// descriptor is closed.
  package init(on loop: EventLoop, descriptor: CInt, for interest: Interest = .reading) {
    self.loop = loop
    place = loop.addPlace(WaitSource(descriptor: descriptor, isWritten: interest == .writing))
  }

  deinit { loop.removePlace(place) }

  /// Ends the wait, or the next one if no task waits. It may be called from any thread.
  package func signal() { loop.signal(place) }

  /// Waits until there is a signal or the deadline passes. Cancelling the task does not end the wait;
  /// its cancellation handler can ``signal()``.
  ///
  /// - Parameter deadline: By the uptime of `LocationClock.live`; `nil` waits without a limit.
  package func wait(until deadline: Moment? = nil) async -> WaitOutcome {
    await loop.wait(at: place, until: deadline)
  }
}

extension EventLoop {
  /// The machine's own clocks; its waits are those of the loop.
  package var clock: LocationClock {
    LocationClock(
      now: { LocationClock.live.now },
      sleepUntil: { [self] deadline in
        let point = WaitPoint(on: self)
        let outcome = await withTaskCancellationHandler {
          await point.wait(until: deadline)
        } onCancel: {
          point.signal()
        }
        if outcome == .signalled { throw CancellationError() }
      })
  }
}
