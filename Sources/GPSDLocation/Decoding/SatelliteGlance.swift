internal import LocationCore

/// What is counted of an element of a sky view's list. The rest is checked alone.
struct SatelliteGlance: SatelliteElement {
  /// The members of ``SatelliteRecord``, in another order.
  enum Field: UInt8, CaseIterable {
    case used
    case gnssid, svid, sigid, health, el, az
    case PRN
    case ss
  }

  private(set) var isIdentified = false
  private(set) var isUsed = false
  private(set) var signalStrength: Double?

  static var firstPassed: UInt8 { Field.gnssid.rawValue }
  static var firstInteger: UInt8 { Field.PRN.rawValue }
  static var firstNumber: UInt8 { Field.ss.rawValue }

  func append(to list: inout [Satellite]) {}

  mutating func removeAll() { self = SatelliteGlance() }

  mutating func read(
    _ member: UInt8, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
    isUsed = try line.booleanValue(&index, depth: Self.depth) ?? false
  }

  @inline(__always)
  mutating func set(_ integer: Int?, at member: UInt8) {
    isIdentified = if let integer { integer >= 0 } else { false }
  }

  @inline(__always)
  mutating func set(_ number: Double?, at member: UInt8) {
    signalStrength = number.asSignalStrength
  }
}
