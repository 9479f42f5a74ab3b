/// An asynchronous sequence of the regions that a receiver enters and leaves.
///
/// ``LocationProvider/regionEvents(_:maximumAccuracy:grace:dwell:staleAfter:retries:)`` returns one. It ends and throws
/// like ``LocationUpdates``. Each iteration has connections of its own, and knows nothing of earlier ones.
public struct RegionEvents: AsyncSequence, Sendable {
  let updates: LocationUpdates
  let monitor: RegionMonitor

  /// Returns an iterator that connects on its first `next()`.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(updates: updates.makeAsyncIterator(), monitor: monitor)
  }

  /// An iterator over the regions that a receiver enters and leaves.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var updates: LocationUpdates.AsyncIterator
    private var monitor: RegionMonitor
    /// Events of one fix that are not returned yet, in reverse order.
    private var pending: [RegionEvent] = []
    /// Why no fix comes; `nil` if one came since.
    private var error: LocationError?

    fileprivate init(updates: LocationUpdates.AsyncIterator, monitor: RegionMonitor) {
      self.updates = updates
      self.monitor = monitor
    }

    /// Returns the next event, or `nil` when the provider has nothing more to report or the task is cancelled.
    ///
    /// - Throws: ``LocationError`` if the provider failed and the retry policy gives up.
    public mutating func next() async throws(LocationError) -> RegionEvent? {
      try await next(isolation: #isolation)
    }

    /// Returns the next event, or `nil` when the provider has nothing more to report or the task is cancelled.
    ///
    /// - Throws: ``LocationError`` if the provider failed and the retry policy gives up.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LocationError) -> RegionEvent? {
      while !Task.isCancelled {
        if let event = pending.popLast() { return event }
        switch try await updates.next(until: monitor.deadline) {
        case .value(let update, let moment): pending = handle(update, at: moment)
        case .timedOut(let moment): pending = expire(at: moment)
        case .ended: return nil
        }
        pending.reverse()
      }
      return nil
    }

    private mutating func handle(_ update: LocationUpdate, at moment: Moment) -> [RegionEvent] {
      let expired = expire(at: moment)
      switch update {
      case .fix(let fix):
        if fix.isCurrent { error = nil }
        return expired + monitor.handle(fix, at: moment)
      case .state(let change) where change.state == .noService: error = change.error
      case .event(.refused(let path, let reason)):
        error = LocationError(.noSuchReceiver, "\(path): \(reason)")
      case .state, .change, .retry, .event: return expired
      }
      return expired + (error.map { monitor.unknown($0, at: moment) } ?? [])
    }

    private mutating func expire(at moment: Moment) -> [RegionEvent] {
      var events = monitor.expire(at: moment)
      for index in events.indices { events[index].error = error }
      return events
    }
  }
}

extension LocationProvider {
  /// Returns the regions that a receiver enters and leaves, reconnecting after failures.
  ///
  /// ```swift
  /// let harbour = Region.circle("harbour", around: sydney, radius: 500)
  /// for try await event in provider.regionEvents([harbour]) {
  ///   print(event.region.id, event.presence)  // harbour inside
  /// }
  /// ```
  ///
  /// The first event of each region reports whether the receiver is inside or outside. If the service is away or refuses
  /// the receiver, events with a ``RegionEvent/error`` report that the presence is unknown, as soon as it is. With several receivers, watch
  /// the provider of one of them. ``RegionMonitor`` describes when a presence changes.
  ///
  /// - Parameters:
  ///   - regions: The regions, each with an ID of its own.
  ///   - maximumAccuracy: The largest ``LocationFix/horizontalError`` of a fix that counts, in metres.
  ///   - grace: How long a presence is kept without a fix that counts. It is kept for at least `staleAfter`; by
  ///     default, that is three intervals of the fixes, or 65 s until the interval is known.
  ///   - dwell: How long all fixes must be beyond the edge; zero if a single fix is enough.
  ///   - staleAfter: The silence after which a fix is no longer current, as for
  ///     ``updates(_:staleAfter:retries:)``.
  ///   - retries: When to connect again after a failure.
  public func regionEvents(
    _ regions: [Region], maximumAccuracy: Double = 100, grace: Duration = .seconds(30),
    dwell: Duration = .seconds(5), staleAfter: Duration? = nil, retries: RetryPolicy = RetryPolicy()
  ) -> RegionEvents {
    RegionEvents(
      updates: updates(staleAfter: staleAfter, retries: retries),
      monitor: RegionMonitor(
        regions, maximumAccuracy: maximumAccuracy, grace: grace, dwell: dwell,
        staleAfter: staleAfter))
  }
}
