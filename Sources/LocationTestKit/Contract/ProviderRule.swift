/// The rules that users of a `LocationProvider` rely on.
///
/// Later versions may add rules: a `switch` outside this package needs an `@unknown default`.
#if compiler(>=6.3)
  @nonexhaustive
#endif
public enum ProviderRule: String, Hashable, Sendable, CaseIterable {
  /// A connection reports all events, in order.
  case reportsEvents = "reports its events in order"
  /// A connection ends after its last event, throws if the provider fails, or stays open.
  case endsAsExpected = "ends as it should"
  /// After its end, a connection reports no events and does not throw again.
  case staysEnded = "reports nothing after its end"
  /// Each connection is independent: it reports the same events, whatever is done with other connections.
  case connectsAnew = "reports the same events to each connection"
  /// A poll that returns `Polled.received` returns at least one event.
  case returnsEvents = "returns an event, or else is quiet or ends"
  /// A connection for a request reports every event except fixes that the request excludes.
  case answersRequests = "reports every event that a request does not exclude"
  /// Events that are polled late are not lost.
  case keepsUnreadEvents = "keeps events that are not polled at once"
  /// A poll that finds nothing loses and repeats no event, and does not end the connection.
  case quietPollsChangeNothing = "reports the same events however often it is polled"
  /// A poll returns the same whether its task is cancelled or not. The reader decides what a cancellation means.
  case ignoresCancellation = "reports the same events to a task that is cancelled"
  /// A poll that finds nothing returns `Polled.quiet(at:)` with its own moment. With an earlier one, its reader
  /// would never time out; with a later one, it would time out too early.
  case quietUntilNow = "is quiet until the moment of the poll"
  /// What `wait()` returns ends as soon as there is something to poll.
  case endsWaits = "ends a wait when there is something to poll"
  /// What `wait()` returns does not end again and again although there is nothing to poll.
  case waitsForSomething = "ends no wait at once without something to poll"
  /// The provider's clock advances, so that deadlines are reached.
  case clockAdvances = "has a clock that advances"
  /// The moments of a connection never go back.
  case momentsGoForward = "reports moments in order"
  /// Events have the moments at which they arrived, by the provider's clock, and not the moments at which they were
  /// polled. A provider that reads a socket cannot know them: see
  /// ``LocationCore/LocationProvider/contractViolations(reporting:then:atMost:excusing:comparing:openConnections:)``.
  case momentsOfArrival = "gives the moments at which events arrived"
  /// The time of day of a moment is the one that the provider's clock had at that moment.
  case wallTimesAgree = "gives moments the time of day of its clock"
  /// `poll(at:)`, `wait()` and `close()` return without delay.
  case returnsAtOnce = "returns without delay"
  /// A closed connection reports no events.
  case closedStaysClosed = "reports nothing after close"
  /// A connection holds nothing open after it was closed or dropped. This is checked only with the argument
  /// `openConnections` of
  /// ``LocationCore/LocationProvider/contractViolations(reporting:then:atMost:excusing:comparing:openConnections:)``.
  case releasesConnections = "releases connections that nobody reads"
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
