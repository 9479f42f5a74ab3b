/// What kind of position a receiver has. The raw values are those of gpsd's `mode`.
public enum FixMode: UInt8, Hashable, Comparable, Sendable {
  /// The receiver has not said yet.
  case unknown = 0
  /// The receiver says that it has no position.
  case noFix = 1
  /// Latitude and longitude.
  case twoD = 2
  /// Latitude, longitude and height.
  case threeD = 3

  /// Whether `lhs` says less than `rhs`.
  @inlinable
  public static func < (lhs: FixMode, rhs: FixMode) -> Bool { lhs.rawValue < rhs.rawValue }
}
