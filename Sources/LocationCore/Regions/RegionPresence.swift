/// Whether a receiver is inside a region.
public enum RegionPresence: String, Hashable, Sendable, CaseIterable, Codable {
  /// There has been no fix that counts, or none for the grace period.
  case unknown
  /// The receiver is inside.
  case inside
  /// The receiver is outside.
  case outside
}

extension RegionPresence: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}
