/// The dimensions of a position. The raw values are those of gpsd's `mode`.
public enum FixMode: UInt8, Hashable, Comparable, Sendable, CaseIterable, Codable {
  /// Latitude and longitude.
  case fix2D = 2
  /// Latitude, longitude and height.
  case fix3D = 3

  /// Returns whether `lhs` has fewer dimensions than `rhs`.
  @inlinable
  public static func < (lhs: FixMode, rhs: FixMode) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension FixMode: CustomStringConvertible {
  /// `2D` or `3D`.
  public var description: String { self == .fix3D ? "3D" : "2D" }
}
