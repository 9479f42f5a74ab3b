/// The events of connections: each iteration makes one, and ends with it.
///
/// It gives ``LocationProvider/events()`` to a provider that has a ``LocationConnection``. An
/// iteration
/// ends with `nil` when its connection does or the task is cancelled, throws ``LocationError`` once
/// where it fails, and gives `nil` from then on.
public struct LocationEvents<Connection: LocationConnection>: AsyncSequence, Sendable {
  private let connect: @Sendable () -> Connection

  /// - Parameter connect: Makes the connection of one iteration.
  public init(_ connect: @escaping @Sendable () -> Connection) { self.connect = connect }

  /// Connects with the first `next()`, to an end of its own.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: connect()) }

  /// One connection's events, one after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var connection: Connection?

    fileprivate init(connection: Connection) { self.connection = connection }

    /// The next event; `nil` at the end.
    ///
    /// - Throws: ``LocationError`` once, when the connection fails.
    public mutating func next() async throws(LocationError) -> LocationEvent? {
      try await next(isolation: #isolation)
    }

    /// The next event; `nil` at the end.
    ///
    /// - Throws: ``LocationError`` once, when the connection fails.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LocationError) -> LocationEvent? {
      do throws(LocationError) {
        while connection != nil {
          if Task.isCancelled {
            await finish()
            break
          }
          switch try await connection?.next(until: nil) {
          case .event(let event, _): return event
          case .timedOut: continue
          case .ended, nil: await finish()
          }
        }
        return nil
      } catch {
        await finish()
        throw error
      }
    }

    private mutating func finish() async {
      await connection?.close()
      connection = nil
    }
  }
}
