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

extension TimedRead where Value == [TimedEvent] {
  /// Returns a read of a single event.
  public static func event(_ event: LocationEvent, at moment: Moment) -> Self {
    .value([TimedEvent(event, at: moment)], at: moment)
  }
}
