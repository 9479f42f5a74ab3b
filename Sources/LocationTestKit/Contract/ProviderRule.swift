public import LocationCore

/// The rules that users of a `LocationProvider` rely on.
public enum ProviderRule: String, Hashable, Sendable, CaseIterable {
  /// An iteration reports all events, in order.
  case reportsEvents = "reports its events in order"
  /// An iteration ends with `nil` after its last event, or throws if the provider fails.
  case endsAsExpected = "ends as it should"
  /// After its end, a connection or an iteration reports no events and does not throw again.
  case staysEnded = "reports nothing after its end"
  /// Each iteration uses a connection of its own and reports the same events.
  case connectsAnew = "reports the same events to each iteration"
  /// A connection reports the same events as an iteration.
  case connectionAgrees = "reports the same events by connection as by iteration"
  /// A wait whose deadline has passed ends without losing an event.
  case deadlinesLoseNothing = "loses no event to a deadline"
  /// The moments of a connection never go back.
  case momentsGoForward = "reports moments in order"
  /// A closed connection reports no events.
  case closedStaysClosed = "reports nothing after close"
  /// A cancelled iteration ends with `nil`, and a cancelled connection with `TimedRead.ended`.
  case cancellationEnds = "ends without an error when it is cancelled"
}

/// A violation of a rule by a provider.
public struct ContractViolation: Hashable, Sendable, CustomStringConvertible {
  /// The rule.
  public var rule: ProviderRule
  /// A message that describes the violation.
  public var detail: String

  /// Creates a violation.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - detail: A message that describes the violation.
  public init(_ rule: ProviderRule, _ detail: String) {
    self.rule = rule
    self.detail = detail
  }

  /// The rule and the violation, in plain text.
  public var description: String { "\(rule.rawValue): \(detail)" }
}

/// What a provider does after the events that the contract check expects.
public enum ContractEnding: Hashable, Sendable {
  /// The provider ends, as at the end of a recording.
  case ends
  /// The provider fails with an error of this code.
  case fails(LocationError.Code)
  /// The provider stays connected until it is cancelled.
  case staysOpen
}
