internal import LocationCore

/// One element of a sky view's list.
struct SatelliteRecord: JSONRecord {
  /// The members, as they are spelled in the report.
  enum Field: UInt8, CaseIterable {
    case PRN, gnssid, svid, sigid, el, az, ss, used, health
  }

  /// The report, its list and the element itself.
  static let depth = 3

  var satellite = Satellite(prn: 0)
  /// Whether gpsd says which satellite it is.
  var isIdentified = false

  mutating func removeAll() { self = SatelliteRecord() }

  @inline(__always)
  mutating func read(
    _ member: UInt8, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
    guard member != Field.used.rawValue else {
      satellite.isUsed = try line.booleanValue(&index, depth: Self.depth) ?? false
      return
    }
    let number = try line.numberValue(&index, depth: Self.depth)
    switch member {
    case Field.PRN.rawValue:
      isIdentified = number != nil
      satellite.prn = number.whole ?? 0
    case Field.gnssid.rawValue: satellite.gnssID = number.whole
    case Field.svid.rawValue: satellite.svID = number.whole
    case Field.sigid.rawValue: satellite.sigID = number.whole
    case Field.el.rawValue: satellite.elevation = number.within(-90...90)
    case Field.az.rawValue: satellite.azimuth = number.within(0...360)
    case Field.ss.rawValue: satellite.signalStrength = number.within(0...254)
    default: satellite.health = number.whole
    }
  }
}

extension Double? {
  /// The number as an integer from 0 on; `nil` where it is none.
  @inline(__always)
  fileprivate var whole: Int? {
    guard let self, let whole = Int(exactly: self), whole >= 0 else { return nil }
    return whole
  }

  /// The number, `nil` out of range: gpsd has numbers there that stand for "unknown".
  @inline(__always)
  fileprivate func within(_ range: ClosedRange<Double>) -> Double? {
    guard let self, range.contains(self) else { return nil }
    return self
  }
}
