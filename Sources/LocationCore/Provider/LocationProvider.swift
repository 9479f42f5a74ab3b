/// A source of locations, such as gpsd, a recording or a test script.
///
/// A provider makes independent connections. ``events()`` and
/// ``updates(staleAfter:retries:minimumMode:minimumQuality:desiredAccuracy:distanceFilter:)`` are built on them.
/// Connections are pull-based: nothing is produced before it is requested, and no event is dropped.
///
/// To turn an `AsyncSequence` of events into a provider, wrap it in an ``EventSequenceProvider``.
public protocol LocationProvider: Sendable {
  /// The type of the provider's connections.
  associatedtype Connection: LocationConnection

  /// Returns a new connection, which connects on its first read.
  func connection() -> Connection

  /// Returns a new connection for a reader that filters fixes or needs reports. The default ignores the
  /// request.
  ///
  /// A provider may leave out fixes that the request excludes, but must report every other event.
  func connection(for request: LocationRequest) -> Connection

  /// The clock of the provider's events and deadlines.
  ///
  /// The default is the machine's own clock; a replay uses the clock of its recording.
  var clock: LocationClock { get }

  /// Whether the provider's receivers eventually report the time. The default is `false`.
  ///
  /// A receiver that was just opened may report a position before it knows the time. If this is
  /// `true`, updates hold such a fix for up to 2 s, and the first fix with a time replaces it.
  var receiversReportTime: Bool { get }
}

extension LocationProvider {
  /// The machine's own clock.
  public var clock: LocationClock { .live }
  /// Returns ``connection()``.
  public func connection(for request: LocationRequest) -> Connection { connection() }
  /// `false`: a fix without a time is reported immediately.
  public var receiversReportTime: Bool { false }

  /// Returns the events that the provider reports from now on. Each iteration opens its own
  /// connection.
  public func events() -> LocationEvents {
    LocationEvents { connection() }
  }
}

/// A connection to a provider, read with deadlines.
public protocol LocationConnection {
  /// Waits for the next events.
  ///
  /// - Parameter deadline: When to stop waiting; `nil` waits without a limit. With a deadline in
  ///   the past, the method returns buffered events without waiting.
  /// - Returns: All events that arrived together, at least one; ``TimedRead/timedOut(at:)`` if none
  ///   arrived before the deadline; ``TimedRead/ended`` when there are no more events or the task
  ///   is cancelled.
  /// - Throws: ``LocationError`` once, when the provider fails.
  mutating func next(
    until deadline: Moment?
  ) async throws(LocationError) -> TimedRead<[TimedEvent]>

  /// Ends the connection. Later reads return ``TimedRead/ended``.
  mutating func close() async
}

/// The result of one wait with a deadline.
public enum TimedRead<Value> {
  /// A value, and the moment at which it arrived.
  case value(Value, at: Moment)
  /// The deadline passed; the moment is the current one.
  case timedOut(at: Moment)
  /// There are no more values: the source ended, or the task was cancelled.
  case ended
}

extension TimedRead: Sendable where Value: Sendable {}
extension TimedRead: Equatable where Value: Equatable {}
extension TimedRead: Hashable where Value: Hashable {}

/// An event, and the moment at which it arrived.
public struct TimedEvent: Hashable, Sendable {
  /// The event that the provider reported.
  public var event: LocationEvent
  /// When the event arrived, by the provider's clock.
  public var moment: Moment

  /// Creates an event that arrived at `moment`.
  public init(_ event: LocationEvent, at moment: Moment) {
    self.event = event
    self.moment = moment
  }
}

extension TimedRead where Value == [TimedEvent] {
  /// Returns a read of a single event.
  public static func event(_ event: LocationEvent, at moment: Moment) -> Self {
    .value([TimedEvent(event, at: moment)], at: moment)
  }
}

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
