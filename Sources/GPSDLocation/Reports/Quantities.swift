/// Numbers that may or may not be there, by their place in an enumeration of names.
///
/// One word tells which are known, so that forgetting all is one write.
struct Quantities<let capacity: Int>: Sendable {
  private(set) var values = InlineArray<capacity, Double>(repeating: 0)
  /// Bit *n* is set where the number at place *n* is known.
  private(set) var known: UInt64 = 0

  /// The number, `nil` where it is unknown. Only finite ones are put in.
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

  mutating func removeAll() { known = 0 }

  /// Forgets a number outside `range`.
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
