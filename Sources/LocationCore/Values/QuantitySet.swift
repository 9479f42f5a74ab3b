/// A set of quantities, in two machine words.
package struct QuantitySet: OptionSet, Hashable, Sendable {
  /// The bit of a quantity is the one that its raw value numbers.
  package var rawValue: UInt128

  package init(rawValue: UInt128) { self.rawValue = rawValue }

  package init(_ quantity: LocationFix.Quantity) { rawValue = 1 &<< UInt128(quantity.rawValue) }

  package init(_ quantities: [LocationFix.Quantity]) {
    self = quantities.reduce(into: []) { $0.formUnion(QuantitySet($1)) }
  }

  /// Those of some groups.
  package init(in groups: LocationFix.Quantity.Group...) {
    self.init(LocationFix.Quantity.allCases.filter { groups.contains($0.row.group) })
  }

  /// One more than the raw value of the last quantity.
  var end: Int { rawValue.bitWidth - rawValue.leadingZeroBitCount }

  @inline(__always)
  package func contains(_ quantity: LocationFix.Quantity) -> Bool {
    rawValue & QuantitySet(quantity).rawValue != 0
  }

  /// Removes and returns the first quantity; `nil` if the set is empty.
  package mutating func popFirst() -> LocationFix.Quantity? {
    guard rawValue != 0 else { return nil }
    defer { rawValue &= rawValue &- 1 }
    return LocationFix.Quantity(rawValue: UInt8(rawValue.trailingZeroBitCount))
  }
}
