/// Whether a receiver moves.
public enum Motion: String, Hashable, Sendable, CaseIterable, Codable {
  /// It is not decided yet, or there was no fix that counts for the grace period.
  case unknown
  /// The receiver moves.
  case moving
  /// The receiver stands still.
  case stationary
}

extension Motion: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}
