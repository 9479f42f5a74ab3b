// Storage of a fixed size inside a value. Apple's systems have InlineArray from version 26 on. So that older ones do, an
// array takes its place on all of them, which costs an allocation.

extension FixValues {
  #if os(Linux)
    /// A number for each quantity, by its raw value.
    typealias Numbers = InlineArray<69, Double>
    static var noNumbers: Numbers { Numbers(repeating: 0) }
  #else
    typealias Numbers = ContiguousArray<Double>
    static var noNumbers: Numbers { Numbers(repeating: 0, count: 69) }
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
