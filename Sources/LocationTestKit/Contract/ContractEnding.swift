public import LocationCore

/// What a provider does after the events that the contract check expects.
public enum ContractEnding: Hashable, Sendable {
  /// The provider ends, as at the end of a recording.
  case ends
  /// The provider fails with an error of this code.
  case fails(LocationError.Code)
  /// The provider stays connected until it is cancelled.
  case staysOpen
}
