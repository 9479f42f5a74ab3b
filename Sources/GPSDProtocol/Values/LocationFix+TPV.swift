package import LocationCore

extension LocationFix {
  /// Creates a fix from a report, without a receive time; `nil` if the mode is below 2D, or the
  /// latitude or longitude is missing.
  package init?(_ tpv: TPV) {
    self = .blank
    guard tpv.fill(&self, received: nil) else { return nil }
  }
}

extension TPV {
  /// Copies the report into a fix.
  ///
  /// - Returns: `false` if the report has no position; the fix is then unchanged.
  package func fill(_ fix: inout LocationFix, received: Timestamp?) -> Bool {
    guard let mode = FixMode(rawValue: mode.rawValue), let lat, let lon,
      let coordinate = Coordinate(latitude: lat, longitude: lon)
    else { return false }
    fix.replace(
      coordinate, mode: mode, device: device, time: time, received: received,
      quantities: quantities.values.span, known: QuantitySet(rawValue: quantities.known.mask))
    fix.correctMagneticTrack()
    return true
  }
}

extension NoFix {
  /// Creates a value from a report without a position.
  package init(_ tpv: TPV) {
    self.init(
      device: tpv.device, time: tpv.time, isStated: tpv.mode == .noFix,
      antenna: tpv[.ant].flatMap { Int(exactly: $0) }.flatMap(AntennaStatus.init(number:)),
      isAntennaPowered: tpv.isAntennaPowered,
      interference: tpv[.jam].flatMap { Int(exactly: $0) })
  }
}

extension TPV {
  /// Whether the antenna has power; `nil` if the report does not say so.
  fileprivate var isAntennaPowered: Bool? {
    switch self[.antPwr] {
    case 1: false
    case 2: true
    default: nil
    }
  }
}

extension LocationFix {
  /// Corrects a magnetic course that gpsd computed with the wrong sign.
  ///
  /// A variation to the east makes a magnetic course smaller: it is the true course minus the
  /// variation. Up to 3.27, gpsd adds the two if a receiver reports no magnetic course itself. Such a
  /// sum is replaced; any other course is the receiver's.
  mutating func correctMagneticTrack() {
    guard let magnetic = self[.magtrack], let variation = self[.magvar], variation != 0, let course
    else { return }
    let difference = abs(magnetic - (course + variation))
    // gpsd rounds each of the numbers, and brings the sum back into the circle.
    guard min(difference, abs(difference - 360)) <= 0.1 + 1e-9 else { return }
    let corrected = (course - variation).truncatingRemainder(dividingBy: 360)
    let rounded = ((corrected < 0 ? corrected + 360 : corrected) * 10_000).rounded() / 10_000
    self[.magtrack] = rounded < 360 ? rounded : 0
  }
}
