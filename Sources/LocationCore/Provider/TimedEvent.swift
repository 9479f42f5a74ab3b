/// An event, and the moment at which it arrived.
public struct TimedEvent: Hashable, Sendable {
  /// The event that the provider reported.
  public var event: LocationEvent
  /// When the event arrived, by the provider's clock: when the provider had it, not when it was read.
  public var moment: Moment

  /// Creates an event that arrived at `moment`.
  public init(_ event: LocationEvent, at moment: Moment) {
    self.event = event
    self.moment = moment
  }
}
