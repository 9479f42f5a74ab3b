import LocationCore

/// Optional numbers, by the raw value of their name.
///
/// A single word holds which numbers are known, so that removing all is one write.
struct Quantities<let capacity: Int>: Sendable {
  private(set) var values = InlineArray<capacity, Double>(repeating: 0)
  /// A word whose bit *n* is set if the number at place *n* is known.
  private(set) var known: UInt64 = 0

  /// The number at a place; `nil` if it is unknown. Numbers must be measurable.
  @inline(__always)
  subscript(place: Int) -> Double? {
    get { known & Self.bit(place) == 0 ? nil : values[place] }
    set {
      if let newValue {
        values[place] = newValue
        known |= Self.bit(place)
      } else {
        known &= ~Self.bit(place)
      }
    }
  }

  /// The number at a place; `nil` if it is unknown. One that is not measurable counts as unknown.
  subscript(checked place: Int) -> Double? {
    get { self[place] }
    set { self[place] = newValue?.ifMeasurable }
  }

  mutating func removeAll() { known = 0 }

  /// Removes a number if it is outside `range`.
  mutating func limit(_ place: Int, to range: some RangeExpression<Double>) {
    if let value = self[place], !range.contains(value) { self[place] = nil }
  }

  private static func bit(_ place: Int) -> UInt64 { 1 &<< UInt64(place) }
}

extension Quantities: Hashable {
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.known == rhs.known && (0..<capacity).allSatisfy { lhs[$0] == rhs[$0] }
  }

  func hash(into hasher: inout Hasher) {
    for place in 0..<capacity { hasher.combine(self[place]) }
  }
}
