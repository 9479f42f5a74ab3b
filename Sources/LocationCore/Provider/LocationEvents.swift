/// An asynchronous sequence of a provider's events.
///
/// Each iteration opens its own connection on the first `next()`. It ends when the connection ends
/// or the task is cancelled. If the connection fails, it throws ``LocationError`` once and then
/// ends.
public struct LocationEvents: AsyncSequence, Sendable {
  private let connect: @Sendable () -> any LocationConnection

  init(_ connect: @escaping @Sendable () -> any LocationConnection) { self.connect = connect }

  /// Returns an iterator that connects on its first `next()`.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: connect()) }

  /// An iterator over the events of one connection.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var connection: (any LocationConnection)?
    /// Events that arrived together with the last one, in reverse order.
    private var pending: [TimedEvent] = []

    fileprivate init(connection: any LocationConnection) { self.connection = connection }

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
          switch try await connection?.next(until: nil) {
          case .value(let events, _): pending = events.reversed()
          case .timedOut: continue
          case .ended, nil: await finish()
          }
        }
        await finish()
        return nil
      } catch {
        await finish()
        throw error
      }
    }

    private mutating func finish() async {
      pending = []
      await connection?.close()
      connection = nil
    }
  }
}
