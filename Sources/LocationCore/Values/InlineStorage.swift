// Storage of a fixed size inside a value. Apple's systems have InlineArray from version 26 on. So that older ones do, an
// array takes its place on all of them, which costs an allocation.

extension LocationFix.Quantity {
  #if os(Linux)
    /// A number for each quantity, by its raw value.
    package typealias Numbers = InlineArray<69, Double>
    package static var zeros: Numbers { Numbers(repeating: 0) }
  #else
    package typealias Numbers = ContiguousArray<Double>
    package static var zeros: Numbers { Numbers(repeating: 0, count: allCases.count) }
  #endif
}

extension SatelliteSet {
  #if os(Linux)
    /// A bit for each satellite with an ordinary number.
    typealias Bits = InlineArray<40, UInt64>
    static var noBits: Bits { Bits(repeating: 0) }
  #else
    typealias Bits = ContiguousArray<UInt64>
    static var noBits: Bits { Bits(repeating: 0, count: 40) }
  #endif
}
