/// Whether a receiver's pulses per second arrive.
///
/// Later versions may add cases: a `switch` outside this package needs an `@unknown default`.
#if compiler(>=6.3)
  @nonexhaustive
#endif
public enum PulseStatus: String, Hashable, Sendable, CaseIterable, Codable {
  /// Pulses arrive.
  case present
  /// There was no pulse for 3 s, or the receiver or the service went away.
  case lost

  /// Decodes the raw value.
  ///
  /// - Throws: `DecodingError` if this version does not know it.
  public init(from decoder: any Decoder) throws { self = try decoder.caseOfName() }
}
