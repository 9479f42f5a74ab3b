/// The rules that users of a `LocationProvider` rely on.
///
/// Later versions may add rules: a `switch` outside this package needs an `@unknown default`.
#if compiler(>=6.3)
  @nonexhaustive
#endif
public enum ProviderRule: String, Hashable, Sendable, CaseIterable {
  /// An iteration reports all events, in order.
  case reportsEvents = "reports its events in order"
  /// An iteration ends with `nil` after its last event, or throws if the provider fails.
  case endsAsExpected = "ends as it should"
  /// After its end, a connection or an iteration reports no events and does not throw again.
  case staysEnded = "reports nothing after its end"
  /// Each connection is independent: it reports the same events, whatever is done with other connections.
  case connectsAnew = "reports the same events to each iteration"
  /// A connection reports the same events as an iteration.
  case connectionAgrees = "reports the same events by connection as by iteration"
  /// A read returns at least one event.
  case returnsEvents = "returns an event, or else a time-out or the end"
  /// Events that arrived together are returned by one read.
  case returnsTogether = "returns together what arrived together"
  /// A connection for a request reports every event except fixes that the request excludes.
  case answersRequests = "reports every event that a request does not exclude"
  /// Events that are read late are not lost.
  case keepsUnreadEvents = "keeps events that are not read at once"
  /// A wait whose deadline has passed ends without losing an event.
  case deadlinesLoseNothing = "loses no event to a deadline"
  /// A read whose deadline has passed reports the events that have arrived, including those that arrived at the
  /// deadline.
  case passedDeadlinesReport = "reports what has arrived, even after the deadline"
  /// A wait ends with `TimedRead.timedOut(at:)` at its deadline, neither earlier nor later. Without a
  /// deadline, it does not time out.
  case deadlinesEndWaits = "ends a wait at its deadline"
  /// The provider's clock advances, so that its deadlines are reached.
  case clockAdvances = "has a clock that advances"
  /// The moments of a connection never go back.
  case momentsGoForward = "reports moments in order"
  /// Events have the moments at which they arrived, by the provider's clock, and not the moments at which they were
  /// read. A provider that reads a socket cannot know them: see
  /// ``LocationCore/LocationProvider/contractViolations(reporting:then:atMost:excusing:comparing:openConnections:)``.
  case momentsOfArrival = "gives the moments at which events arrived"
  /// The time of day of a moment is the one that the provider's clock had at that moment.
  case wallTimesAgree = "gives moments the time of day of its clock"
  /// `close()` returns without delay.
  case closesAtOnce = "closes without delay"
  /// A closed connection reports no events.
  case closedStaysClosed = "reports nothing after close"
  /// A connection holds nothing open after it was closed or dropped, or its iteration was left. This is checked only
  /// with the argument `openConnections` of
  /// ``LocationCore/LocationProvider/contractViolations(reporting:then:atMost:excusing:comparing:openConnections:)``.
  case releasesConnections = "releases connections that nobody reads"
  /// A cancelled iteration ends with `nil`, and a cancelled connection with `TimedRead.ended`, at once.
  case cancellationEnds = "ends without an error when it is cancelled"
}

/// A violation of a rule by a provider.
public struct ContractViolation: Hashable, Sendable, CustomStringConvertible {
  /// The rule.
  public var rule: ProviderRule
  /// A message that describes the violation.
  public var detail: String

  package init(_ rule: ProviderRule, _ detail: String) {
    self.rule = rule
    self.detail = detail
  }

  /// The rule and the violation, in plain text.
  public var description: String { "\(rule.rawValue): \(detail)" }
}
