/// An asynchronous sequence of a provider's events.
///
/// Each iteration opens its own connection on the first `next()`. It ends when the connection ends
/// or the task is cancelled. If the connection fails, it throws ``LocationError`` once and then
/// ends.
public struct LocationEvents: AsyncSequence, Sendable {
  private let connect: @Sendable () -> any LocationConnection
  private let clock: LocationClock

  init(by clock: LocationClock, _ connect: @escaping @Sendable () -> any LocationConnection) {
    self.connect = connect
    self.clock = clock
  }

  /// Returns an iterator that connects on its first `next()`.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connect(), by: clock) }

  /// An iterator over the events of one connection.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var connection: (any LocationConnection)?
    /// Events that arrived together with the last one, in reverse order.
    private var pending: [TimedEvent] = []
    private let waiter: Waiter

    fileprivate init(_ connection: any LocationConnection, by clock: LocationClock) {
      self.connection = connection
      waiter = Waiter(by: clock)
    }

    /// Returns the next event, or `nil` at the end.
    ///
    /// - Throws: ``LocationError`` once, when the connection fails.
    public mutating func next() async throws(LocationError) -> LocationEvent? {
      try await next(isolation: #isolation)
    }

    /// Returns the next event, or `nil` at the end.
    ///
    /// - Throws: ``LocationError`` once, when the connection fails.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LocationError) -> LocationEvent? {
      do throws(LocationError) {
        while connection != nil, !Task.isCancelled {
          if let next = pending.popLast() { return next.event }
          let waiter = waiter
          switch try await connection?.next(until: nil, by: waiter) {
          case .received(let events): pending = events.reversed()
          case .quiet: continue
          case .ended, nil: finish()
          }
        }
        finish()
        return nil
      } catch {
        finish()
        throw error
      }
    }

    private mutating func finish() {
      pending = []
      connection?.close()
      connection = nil
    }
  }
}
