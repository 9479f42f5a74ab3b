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
