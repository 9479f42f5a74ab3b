import LocationCore

/// Optional numbers, by their places.
///
/// Two words hold which numbers are known, so that removing all is two writes.
#if os(Linux)
  struct Quantities<let capacity: Int>: Sendable {
    fileprivate(set) var values: InlineArray<capacity, Double>
    /// The places of the numbers that are known.
    fileprivate(set) var known = MemberSet()

    init(_ zeros: InlineArray<capacity, Double> = InlineArray(repeating: 0)) { values = zeros }
  }

  typealias QuantitiesOfReport = Quantities<20>
#else
  // InlineArray needs Apple's systems from version 26 on.
  struct Quantities: Sendable {
    fileprivate(set) var values: ContiguousArray<Double>
    /// The places of the numbers that are known.
    fileprivate(set) var known = MemberSet()

    init(_ zeros: ContiguousArray<Double> = LocationFix.Quantity.zeros) { values = zeros }
  }

  typealias QuantitiesOfReport = Quantities
#endif

extension Quantities {
  /// The number at a place; `nil` if it is unknown. Numbers must be within their ranges.
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

  mutating func removeAll() { known = MemberSet() }

  /// Removes the numbers that are above their range or not whole, and returns how many they are.
  mutating func removeImpossible(_ ranges: NumberRanges) -> Int {
    var bounded = known.intersection(ranges.bounded)
    var removed = 0
    while let place = bounded.popFirst() {
      guard !ranges[place].contains(values[place]) else { continue }
      known.remove(place)
      removed += 1
    }
    return removed
  }
}

extension Quantities: Hashable {
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.values.indices.allSatisfy { lhs[$0] == rhs[$0] }
  }

  func hash(into hasher: inout Hasher) {
    for place in values.indices { hasher.combine(self[place]) }
  }
}
