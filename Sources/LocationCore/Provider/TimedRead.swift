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
  /// When the event arrived at the provider, by the provider's clock. This is not the moment at which it was read.
  public var moment: Moment

  /// Creates an event that arrived at `moment`.
  public init(_ event: LocationEvent, at moment: Moment) {
    self.event = event
    self.moment = moment
  }
}
