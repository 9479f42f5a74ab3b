import LocationCore

/// Gives each fix to the corrections, which may depend on the position.
struct FixPositions: SourcePart {
  private let didFix: @Sendable (LocationFix) -> Void

  init?(_ didFix: (@Sendable (LocationFix) -> Void)?) {
    guard let didFix else { return nil }
    self.didFix = didFix
  }

  func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) -> Passage {
    if case .fix(let fix) = update { didFix(fix) }
    return .next
  }
}
