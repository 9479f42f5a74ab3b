import LocationCore

/// Optional numbers, by their places.
///
/// Two words hold which numbers are known, so that removing all is two writes.
struct Quantities<let capacity: Int>: Sendable {
  private(set) var values: InlineArray<capacity, Double>
  /// The places of the numbers that are known.
  private(set) var known = MemberSet()

  /// Creates storage in which no number is known.
  init(_ values: InlineArray<capacity, Double> = InlineArray(repeating: 0)) { self.values = values }

  /// The number at a place; `nil` if it is unknown. Numbers must be measurable.
  @inline(__always)
  subscript(place: Int) -> Double? {
    get { known.contains(place) ? values[place] : nil }
    set {
      if let newValue {
        values[place] = newValue
        known.add(place)
      } else {
        known.remove(place)
      }
    }
  }

  /// The number at a place; `nil` if it is unknown. One that is not measurable counts as unknown.
  subscript(checked place: Int) -> Double? {
    get { self[place] }
    set { self[place] = newValue?.ifMeasurable }
  }

  mutating func removeAll() { known = MemberSet() }

  /// Removes a number if it is outside `range`.
  mutating func limit(_ place: Int, to range: some RangeExpression<Double>) {
    if let value = self[place], !range.contains(value) { self[place] = nil }
  }
}

extension Quantities: Hashable {
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.known == rhs.known && (0..<capacity).allSatisfy { lhs[$0] == rhs[$0] }
  }

  func hash(into hasher: inout Hasher) {
    for place in 0..<capacity { hasher.combine(self[place]) }
  }
}
