/// A source of locations, such as gpsd, a recording or a test script.
///
/// A provider makes independent connections. ``events()`` and
/// ``updates(_:staleAfter:retries:)`` are built on them.
/// Connections are pull-based: nothing is produced before it is requested, and no event is dropped.
///
/// To turn an `AsyncSequence` of events into a provider, wrap it in an ``EventSequenceProvider``.
public protocol LocationProvider: Sendable {
  /// The type of the provider's connections.
  associatedtype Connection: LocationConnection

  /// Returns a new connection, which connects on its first read.
  ///
  /// A connection may leave out fixes that the request excludes, and kinds of reports that it does not name. It must
  /// report every other event. A provider may also ignore the request.
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

  /// Whether the times of fixes are of the ``clock``, as on a phone, and not of the clock of a receiver. The default is
  /// `false`.
  ///
  /// If this is `true`, the age of a fix decides whether it is current: one that is older than 5 s and than three
  /// intervals is not, even if it is the first. `staleAfter` replaces this limit, but not by less than 2 s. Otherwise,
  /// only the delays of fixes can be compared, because neither clock needs to be right.
  var receiversShareClock: Bool { get }
}

extension LocationProvider {
  /// The machine's own clock.
  public var clock: LocationClock { .live }
  /// `false`: a fix without a time is reported immediately.
  public var receiversReportTime: Bool { false }
  /// `false`: the times of fixes are those of a receiver.
  public var receiversShareClock: Bool { false }

  /// Returns a new connection that reports every fix. It connects on its first read.
  public func connection() -> Connection { connection(for: LocationRequest()) }

  /// Returns the events that the provider reports from now on. Each iteration opens its own
  /// connection.
  public func events() -> LocationEvents {
    LocationEvents(by: clock) { connection() }
  }
}

/// A connection to a provider.
///
/// The first ``Pollable/poll(at:)`` begins to connect.
public protocol LocationConnection: Pollable where Value == [TimedEvent] {
  /// Ends the connection without delay. Later polls return ``Polled/ended``. Called at most once.
  mutating func close()
}

extension LocationConnection {
  /// Waits for the next events.
  ///
  /// - Parameters:
  ///   - deadline: When to stop waiting; `nil` waits without a limit. An event that arrives at the deadline is in time.
  ///     With a deadline in the past, the method returns events that have come, without waiting.
  ///   - clock: The provider's clock.
  ///   - isolation: The actor on which the caller runs.
  /// - Returns: All events that came together, at least one, and when the last of them came;
  ///   ``TimedRead/timedOut(at:)`` if none came by the deadline; ``TimedRead/ended`` when there are no more events or the
  ///   task is cancelled.
  /// - Throws: ``LocationError`` once, when the provider fails.
  public mutating func next(
    until deadline: Moment?, by clock: LocationClock, isolation: isolated (any Actor)? = #isolation
  ) async throws(LocationError) -> TimedRead<[TimedEvent]> {
    switch try await next(until: deadline, by: Waiter(by: clock)) {
    case .received(let events): .value(events, at: events.last?.moment ?? clock.now)
    case .quiet(let moment): .timedOut(at: moment)
    case .ended: .ended
    }
  }
}
