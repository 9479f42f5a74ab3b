/// An asynchronous sequence of the regions that a receiver enters and leaves.
///
/// ``LocationProvider/regionEvents(_:maximumAccuracy:grace:staleAfter:retries:)`` returns one. It ends
/// and throws like ``LocationUpdates``. Each iteration opens its own connections.
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

    fileprivate init(updates: LocationUpdates.AsyncIterator, monitor: RegionMonitor) {
      self.updates = updates
      self.monitor = monitor
    }

    /// Returns the next event, or `nil` when the provider has no more to report or the task is
    /// cancelled.
    ///
    /// - Throws: ``LocationError`` if the provider failed and the retry policy gives up.
    public mutating func next() async throws(LocationError) -> RegionEvent? {
      try await next(isolation: #isolation)
    }

    /// Returns the next event, or `nil` when the provider has no more to report or the task is
    /// cancelled.
    ///
    /// - Throws: ``LocationError`` if the provider failed and the retry policy gives up.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LocationError) -> RegionEvent? {
      while !Task.isCancelled {
        if let event = pending.popLast() { return event }
        switch try await updates.next(until: monitor.deadline) {
        case .value(.fix(let fix), let moment): pending = monitor.take(fix, at: moment)
        case .value: break
        case .timedOut(let moment): pending = monitor.expire(at: moment)
        case .ended: return nil
        }
        pending.reverse()
      }
      return nil
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
  /// The first event of each region says whether the receiver is inside or outside. With several
  /// receivers, watch the provider of one of them. ``RegionMonitor`` describes when a presence changes.
  ///
  /// - Parameters:
  ///   - regions: The regions, each with an ID of its own.
  ///   - maximumAccuracy: The largest ``LocationFix/accuracy`` of a fix that counts, in metres.
  ///   - grace: How long a presence is kept without a fix that counts.
  ///   - staleAfter: The silence after which a fix is no longer current, as for
  ///     ``updates(staleAfter:retries:minimumMode:minimumQuality:desiredAccuracy:distanceFilter:)``.
  ///   - retries: When to connect again after a failure.
  public func regionEvents(
    _ regions: [Region], maximumAccuracy: Double = 100, grace: Duration = .seconds(30),
    staleAfter: Duration? = nil, retries: RetryPolicy = RetryPolicy()
  ) -> RegionEvents {
    RegionEvents(
      updates: updates(staleAfter: staleAfter, retries: retries),
      monitor: RegionMonitor(regions, maximumAccuracy: maximumAccuracy, grace: grace))
  }
}
