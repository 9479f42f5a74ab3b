internal import LocationCore

/// One element of a sky view's list.
struct SatelliteRecord: SatelliteElement {
  /// The members, as they are spelled in the report.
  enum Field: Int, CaseIterable, CodingKey {
    case used
    case PRN, gnssid, svid, sigid, health
    case el, az, ss
  }

  var satellite = Satellite(prn: 0)
  /// Whether gpsd says which satellite it is.
  var isIdentified = false
  var isUsed: Bool { satellite.isUsed }
  var signalStrength: Double? { satellite.signalStrength }

  static var firstInteger: Int { Field.PRN.rawValue }
  static var firstNumber: Int { Field.el.rawValue }

  func append(to list: inout [Satellite]) { list.append(satellite) }

  mutating func removeAll() { self = SatelliteRecord() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
    satellite.isUsed = try line.booleanValue(&index, depth: Self.depth) ?? false
  }

  @inline(__always)
  mutating func set(_ integer: Int?, at member: Int) {
    // There are no negative ones: they would stand for "unknown".
    let number = if let integer, integer >= 0 { integer } else { nil as Int? }
    switch member {
    case Field.PRN.rawValue:
      isIdentified = number != nil
      satellite.prn = number ?? 0
    case Field.gnssid.rawValue: satellite.gnssID = number
    case Field.svid.rawValue: satellite.svID = number
    case Field.sigid.rawValue: satellite.sigID = number
    default: satellite.health = number
    }
  }

  @inline(__always)
  mutating func set(_ number: Double?, at member: Int) {
    switch member {
    case Field.el.rawValue: satellite.elevation = number.within(-90...90)
    case Field.az.rawValue: satellite.azimuth = number.within(0...360)
    default: satellite.signalStrength = number.asSignalStrength
    }
  }
}

extension Double? {
  /// In dBHz, as gpsd gives it.
  @inline(__always)
  var asSignalStrength: Double? { within(0...254) }

  /// The number, `nil` out of range: gpsd has numbers there that stand for "unknown".
  @inline(__always)
  fileprivate func within(_ range: ClosedRange<Double>) -> Double? {
    guard let self, range.contains(self) else { return nil }
    return self
  }
}
