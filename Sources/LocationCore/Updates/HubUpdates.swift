/// An asynchronous sequence of the updates of a ``LocationHub``. A slow reader receives the latest ones.
public struct HubUpdates: AsyncSequence, Sendable {
  let hub: LocationHub
  let request: LocationRequest

  /// Returns an iterator, which joins the hub on its first `next()`.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(hub: hub, filter: UpdateFilter(request))
  }

  /// An iterator over the updates of a hub.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let hub: LocationHub
    private var filter: UpdateFilter
    private var membership: HubMembership?
    private let waiter: Waiter

    fileprivate init(hub: LocationHub, filter: UpdateFilter) {
      self.hub = hub
      self.filter = filter
      waiter = Waiter(by: hub.clock)
    }

    /// Whether the hub was stopped since this reader joined it.
    var isStopped: Bool { membership?.reader.isStopped ?? false }

    /// The number of updates that were dropped because this reader was too slow: fixes that a later fix of the same
    /// receiver replaced, and the oldest updates beyond the limit of 1,024 unread ones.
    public var droppedCount: Int { membership?.reader.droppedCount ?? 0 }

    /// Returns the next update, or `nil` at the end.
    ///
    /// - Throws: ``LocationError`` if the provider failed and the hub's retry policy gives up.
    public mutating func next() async throws(LocationError) -> LocationUpdate? {
      try await next(isolation: #isolation)
    }

    /// Returns the next update, or `nil` at the end.
    ///
    /// - Throws: ``LocationError`` if the provider failed and the hub's retry policy gives up.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LocationError) -> LocationUpdate? {
      guard case .value(let update, _) = try await next(until: nil) else { return nil }
      return update
    }

    /// Returns the next update that arrives by a deadline.
    ///
    /// - Parameter deadline: When to stop waiting, by the provider's clock; `nil` waits without a limit.
    /// - Returns: The update; ``TimedRead/timedOut(at:)`` if there was none by the deadline;
    ///   ``TimedRead/ended`` at the end, and if the task is cancelled.
    /// - Throws: ``LocationError`` if the provider failed and the hub's retry policy gives up.
    public mutating func next(
      until deadline: Moment?
    ) async throws(LocationError) -> TimedRead<LocationUpdate> {
      if membership == nil { membership = HubMembership(of: hub) }
      guard var reader = membership?.reader else { return .ended }
      while true {
        switch try await reader.next(until: deadline, by: waiter) {
        case .received((.fix(let fix), _)) where !filter.admits(fix): continue
        case .received((let update, let moment)):
          if case .state(let change) = update { filter.record(change) }
          return .value(update, at: moment)
        case .quiet(let moment): return .timedOut(at: moment)
        case .ended: return .ended
        }
      }
    }
  }
}

/// Keeps a reader in its hub until the iterator or the connection is gone.
final class HubMembership: Sendable {
  let hub: LocationHub
  let reader: HubReader

  /// - Parameter asConnection: Whether the reader is a connection, for which all fixes wait.
  init(of hub: LocationHub, asConnection: Bool = false) {
    self.hub = hub
    reader = hub.join(asConnection: asConnection)
  }

  deinit { hub.leave(reader) }
}
