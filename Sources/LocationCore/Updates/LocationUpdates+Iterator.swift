extension LocationUpdates {
  /// An iterator over a provider's updates, with its own connections.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var updates: PolledUpdates
    private let waiter: Waiter

    init(_ updates: LocationUpdates) {
      self.updates = PolledUpdates(updates)
      waiter = Waiter(by: updates.clock)
    }

    /// Returns the next update, or `nil` when the provider has nothing more to report or the task is cancelled.
    ///
    /// - Throws: ``LocationError`` if the provider failed and the retry policy gives up.
    public mutating func next() async throws(LocationError) -> LocationUpdate? {
      try await next(isolation: #isolation)
    }

    /// Returns the next update, or `nil` when the provider has nothing more to report or the task is cancelled.
    ///
    /// - Throws: ``LocationError`` if the provider failed and the retry policy gives up.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LocationError) -> LocationUpdate? {
      if case .value(let update, _) = try await next(until: nil) { update } else { nil }
    }

    /// Returns the next update that arrives by a deadline.
    ///
    /// - Parameter deadline: When to stop waiting; `nil` waits without a limit. An event that arrives at the deadline
    ///   is in time; a later one is left for the next call, in a replay too.
    /// - Returns: The update; ``TimedRead/timedOut(at:)`` if there was none by the deadline; ``TimedRead/ended``
    ///   when the provider has nothing more to report. If the task is cancelled, ``TimedRead/ended`` is returned at
    ///   once, and queued updates are dropped.
    /// - Throws: ``LocationError`` if the provider failed and the retry policy gives up.
    public mutating func next(
      until deadline: Moment?
    ) async throws(LocationError) -> TimedRead<LocationUpdate> {
      let waiter = waiter
      updates.limit = deadline
      switch try await updates.next(until: deadline, by: waiter) {
      case .received((let update, let moment)): return .value(update, at: moment)
      case .quiet(let moment): return .timedOut(at: moment)
      case .ended:
        if Task.isCancelled { close() }
        return .ended
      }
    }

    /// Ends the connection and the iteration. Queued updates are dropped.
    package mutating func close() { updates.close() }

    /// Makes the connection that the first read opens. In a replay, this resets the clock to the beginning.
    mutating func makeConnection() { updates.makeConnection() }
  }
}
