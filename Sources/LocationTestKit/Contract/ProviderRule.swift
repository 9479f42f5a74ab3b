/// What everybody may rely on who takes a `LocationProvider`.
public enum ProviderRule: String, Hashable, Sendable, CaseIterable {
  /// An iteration reports what there is to report, in its order.
  case reportsEvents = "reports its events in order"
  /// An iteration ends with `nil` where there is no more, and throws where the provider failed.
  case endsAsExpected = "ends as it should"
  /// After its end an iteration gives `nil`, and does not throw again.
  case staysEnded = "says nothing after its end"
  /// Each iteration is a connection of its own.
  case connectsAnew = "reports the same to each iteration"
  /// A connection gives what an iteration gives.
  case connectionAgrees = "gives by connection what it gives by iteration"
  /// A wait whose deadline has passed loses nothing, and ends.
  case deadlinesLoseNothing = "loses nothing to deadlines"
  /// The moments of a connection never go back.
  case momentsGoForward = "tells moments in order"
  /// A connection that was closed gives nothing.
  case closedStaysClosed = "gives nothing after close"
  /// A cancelled iteration ends with `nil`, and so does a cancelled connection.
  case cancellationEnds = "ends without an error when it is cancelled"
}

/// A rule that a provider broke, and how.
public struct ContractViolation: Hashable, Sendable, CustomStringConvertible {
  /// What was broken.
  public var rule: ProviderRule
  /// How, in words for whoever reads the failed test.
  public var detail: String

  /// - Parameters:
  ///   - rule: What was broken.
  ///   - detail: How.
  public init(_ rule: ProviderRule, _ detail: String) {
    self.rule = rule
    self.detail = detail
  }

  /// The rule in words, and how it was broken.
  public var description: String { "\(rule.rawValue): \(detail)" }
}
