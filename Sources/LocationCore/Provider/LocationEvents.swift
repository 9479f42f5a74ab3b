/// The events of connections: each iteration makes one, and ends with it.
public struct LocationEvents<Connection: LocationConnection>: AsyncSequence, Sendable {
  private let connect: @Sendable () -> Connection

  public init(_ connect: @escaping @Sendable () -> Connection) { self.connect = connect }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: connect()) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    private var connection: Connection?

    fileprivate init(connection: Connection) { self.connection = connection }

    public mutating func next() async throws(LocationError) -> LocationEvent? {
      try await next(isolation: #isolation)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LocationError) -> LocationEvent? {
      do throws(LocationError) {
        while connection != nil {
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
