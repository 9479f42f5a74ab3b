public import LocationCore

/// What a provider does after the events that its contract is checked with.
public enum ContractEnding: Hashable, Sendable {
  /// It has no more to report, as at the end of a recording.
  case ends
  /// It fails.
  case fails(LocationError.Code)
  /// It stays connected, as long as nobody cancels.
  case staysOpen
}
