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

  /// Returns events that have arrived together, without waiting; `nil` if ``next(until:)`` has to be called, or a
  /// wait comes first.
  ///
  /// The default returns `nil`.
  mutating func poll() -> [TimedEvent]?

  /// Returns what to wait for before the next ``poll()``; `nil` if ``next(until:)`` has to be called.
  ///
  /// The default returns `nil`.
  ///
  /// - Parameter deadline: When the reader stops waiting; `nil` if it waits without a limit.
  mutating func arrival(before deadline: Moment?) -> ArrivalWait?

  /// Ends the connection without delay. Later reads return ``TimedRead/ended``. Called once at the most.
  mutating func close() async
}

extension LocationConnection {
  /// `nil`: each read is a ``next(until:)``.
  public mutating func poll() -> [TimedEvent]? { nil }
  /// `nil`: each read is a ``next(until:)``.
  public mutating func arrival(before deadline: Moment?) -> ArrivalWait? { nil }
}
