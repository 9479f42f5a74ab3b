/// One connection to a provider: its events, each with the moment it came, and waits that end.
public protocol LocationConnection {
  /// The next event, or what there was instead of one.
  ///
  /// - Parameter deadline: When to stop waiting; `nil` waits for ever. One that has passed takes
  ///   what is there and does not wait.
  /// - Throws: ``LocationError`` once, when the provider fails.
  mutating func next(until deadline: Moment?) async throws(LocationError) -> LocationRead

  /// The next event that is here already: one that came together with the last one. `nil` where
  /// ``next(until:)`` has to be asked, and in a connection that does not say otherwise.
  ///
  /// - Parameter deadline: The same as that of ``next(until:)``.
  mutating func nextBuffered(until deadline: Moment?) -> LocationRead?

  /// Lets go of the connection. Nothing is read after it.
  mutating func close() async
}

extension LocationConnection {
  /// `nil`: each event is waited for.
  public mutating func nextBuffered(until deadline: Moment?) -> LocationRead? { nil }
}

/// What one wait for an event gave.
public enum LocationRead: Hashable, Sendable {
  /// An event, and when it came.
  case event(LocationEvent, at: Moment)
  /// The deadline passed; by now it is so late.
  case timedOut(at: Moment)
  /// There will be no more: the provider is done, or the task was cancelled.
  case ended
}
