/// An asynchronous sequence of the events of a ``LocationMonitor``.
///
/// ``LocationProvider/events(of:for:staleAfter:retries:)`` returns one. It ends and throws like ``LocationUpdates``,
/// after the last events of the monitor. A cancelled task does not receive these last events. Each iteration has a
/// monitor and connections of its own.
public struct MonitorEvents<Monitor: LocationMonitor>: AsyncSequence, Sendable {
  let updates: LocationUpdates
  let monitor: Monitor

  /// Returns an iterator that connects on its first `next()`.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(updates: updates.makeAsyncIterator(), monitor: monitor)
  }

  /// An iterator over the events of a monitor.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var updates: LocationUpdates.AsyncIterator
    private var monitor: Monitor
    /// Events of one report that are not returned yet, in reverse order.
    private var pending: [Monitor.Event] = []
    /// How the updates have ended; `nil` before that.
    private var end: Result<Void, LocationError>?

    fileprivate init(updates: LocationUpdates.AsyncIterator, monitor: Monitor) {
      self.updates = updates
      self.monitor = monitor
    }

    /// Returns the next event, or `nil` when the provider has nothing more to report or the task is cancelled.
    ///
    /// - Throws: ``LocationError`` if the provider failed and the retry policy gives up.
    public mutating func next() async throws(LocationError) -> Monitor.Event? {
      try await next(isolation: #isolation)
    }

    /// Returns the next event, or `nil` when the provider has nothing more to report or the task is cancelled.
    ///
    /// - Throws: ``LocationError`` if the provider failed and the retry policy gives up.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LocationError) -> Monitor.Event? {
      while !Task.isCancelled {
        if let event = pending.popLast() { return event }
        if let end {
          self.end = .success(())
          try end.get()
          return nil
        }
        do throws(LocationError) {
          pending = try await nextEvents()
        } catch {
          end = .failure(error)
          pending = monitor.finish()
        }
        pending.reverse()
      }
      return nil
    }

    private mutating func nextEvents() async throws(LocationError) -> [Monitor.Event] {
      switch try await updates.next(until: monitor.deadline) {
      case .value(let update, let moment):
        // What is due when a report arrives comes before it.
        let isDue = monitor.deadline.map { $0 <= moment } ?? false
        return (isDue ? monitor.expire(at: moment) : []) + handle(update, at: moment)
      case .timedOut(let moment): return monitor.expire(at: moment)
      case .ended:
        end = .success(())
        return monitor.finish()
      }
    }

    private mutating func handle(_ update: LocationUpdate, at moment: Moment) -> [Monitor.Event] {
      switch update {
      case .fix(let fix): monitor.handle(fix, at: moment)
      case .event(.other(let report)) where monitor.reports.contains(report.kind):
        monitor.handle(report, at: moment)
      case .state, .change, .retry, .event: []
      }
    }
  }
}

extension LocationProvider {
  /// Returns the events of a monitor, reconnecting after failures.
  ///
  /// ```swift
  /// for try await event in provider.events(of: RegionMonitor([harbour])) {
  ///   print(event.presence)  // inside
  /// }
  /// ```
  ///
  /// With several receivers, watch the provider of one of them.
  ///
  /// - Parameters:
  ///   - monitor: The monitor. Each iteration begins with a copy of it.
  ///   - request: The fixes that the monitor receives. It always receives the reports that it needs.
  ///   - staleAfter: The silence after which a fix is no longer current, as for
  ///     ``updates(_:staleAfter:retries:)``.
  ///   - retries: When to connect again after a failure.
  public func events<Monitor: LocationMonitor>(
    of monitor: Monitor, for request: LocationRequest = LocationRequest(),
    staleAfter: Duration? = nil, retries: RetryPolicy = RetryPolicy()
  ) -> MonitorEvents<Monitor> {
    var request = request
    request.reports.formUnion(monitor.reports)
    let updates = updates(request, staleAfter: staleAfter, retries: retries)
    return MonitorEvents(updates: updates, monitor: monitor)
  }
}
