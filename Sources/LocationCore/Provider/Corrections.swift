/// The state of the corrections that a receiver gets, such as those of a base station for RTK.
public struct Corrections: Hashable, Sendable {
  /// Whether corrections come.
  ///
  /// Later versions may add cases: a `switch` outside this package needs an `@unknown default`.
  #if compiler(>=6.3)
    @nonexhaustive
  #endif
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// The corrections arrive.
    case connected
    /// The corrections do not arrive, or have stopped.
    case lost
  }

  /// The name of the corrections' source, such as `ntrip://caster.example:2101/MOUNT`.
  package var source: String
  /// Whether the corrections arrive.
  package var state: State
  /// Why the corrections do not arrive, as a short text for people; `nil` while they do.
  package var reason: String?
  /// The position of the base station; `nil` if it has not reported one.
  package var base: Coordinate?

  /// Creates a state. An argument that is left out is unknown.
  package init(_ state: State, of source: String, reason: String? = nil, base: Coordinate? = nil) {
    self.state = state
    self.source = source
    self.reason = reason
    self.base = base
  }
}

extension Corrections: CustomStringConvertible {
  /// A text for logs and test failures, such as `lost ntrip://caster.example:2101/MOUNT: silent for 30 s`.
  /// Its format may change.
  public var description: String {
    "\(state.rawValue) \(source)" + (reason.map { ": \($0)" } ?? "")
      + (base.map { ", base \($0)" } ?? "")
  }
}
