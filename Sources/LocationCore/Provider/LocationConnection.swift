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

  /// Ends the connection without delay. Later reads return ``TimedRead/ended``. Called once at the most.
  mutating func close() async
}
