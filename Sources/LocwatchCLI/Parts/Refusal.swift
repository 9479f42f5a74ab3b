import LocationCore

/// Ends a source whose receiver gpsd cannot open, unless it is tried again.
struct Refusal: SourcePart {
  init?(_ options: Options) {
    if options.reconnects { return nil }
  }

  func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) -> Passage {
    guard case .event(.refused(let path, let reason)) = update else { return .next }
    return .done(.refused(path: path, reason: reason))
  }
}
