internal import LocationCore

/// What is counted of an element of a sky view's list. The rest is checked alone.
struct SatelliteGlance: SatelliteElement {
  /// The members of ``SatelliteRecord``, in another order.
  enum Field: Int, CaseIterable, CodingKey {
    case used
    case gnssid, svid, sigid, health, el, az
    case PRN
    case ss
  }

  private(set) var isIdentified = false
  private(set) var isUsed = false
  private(set) var signalStrength: Double?

  static var firstPassed: Int { Field.gnssid.rawValue }
  static var firstInteger: Int { Field.PRN.rawValue }
  static var firstNumber: Int { Field.ss.rawValue }

  func append(to list: inout [Satellite]) {}

  mutating func removeAll() { self = SatelliteGlance() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
    isUsed = try line.booleanValue(&index, depth: Self.depth) ?? false
  }

  @inline(__always)
  mutating func set(_ integer: Int?, at member: Int) {
    isIdentified = if let integer { integer >= 0 } else { false }
  }

  @inline(__always)
  mutating func set(_ number: Double?, at member: Int) {
    signalStrength = number.asSignalStrength
  }
}
