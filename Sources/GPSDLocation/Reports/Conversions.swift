public import LocationCore

extension LocationFix {
  /// The fix that a report gives, without a receive time. `nil` where it gives none: where the mode
  /// is below 2D, or latitude or longitude is missing.
  public init?(_ tpv: TPV) {
    guard tpv.hasFix, let coordinate = tpv.coordinate else { return nil }
    self = .blank
    tpv.fill(&self, at: coordinate, received: nil)
  }
}

extension TPV {
  /// Whether the mode is one with a position.
  var hasFix: Bool { mode >= .twoD }

  /// Where the receiver is, whatever its mode.
  var coordinate: Coordinate? {
    guard let lat, let lon else { return nil }
    return Coordinate(latitude: lat, longitude: lon)
  }

  /// Puts all that the report says into a fix.
  func fill(_ fix: inout LocationFix, at coordinate: Coordinate, received: Timestamp?) {
    let first = Field.altHAE.rawValue
    let end = Field.dgpsAge.rawValue + 1
    fix.replace(
      coordinate, mode: mode, device: device ?? "", time: time, received: received,
      quantities: quantities.values.span.extracting(first..<end),
      known: UInt32(truncatingIfNeeded: quantities.known >> UInt64(first))
        & (1 << UInt32(end - first) - 1))
  }
}

extension NoFix {
  /// What a report without a position tells.
  public init(_ tpv: TPV) {
    self.init(device: tpv.device ?? "", time: tpv.time, mode: tpv.mode)
  }
}

extension SkyView {
  /// The sky as a report gives it.
  public init(_ sky: SKY) {
    self.init(
      device: sky.device ?? "", time: sky.time, satellites: sky.satellites, seen: sky.nSat,
      used: sky.uSat, hdop: sky.hdop, vdop: sky.vdop, pdop: sky.pdop)
  }
}

extension SKYRecord {
  /// All that the report says of a view.
  var values: SkyValues {
    SkyValues(
      device: sky.device ?? "", time: sky.time, satellites: sky.satellites,
      seen: sky.nSat ?? (summary.hasList ? summary.count : nil),
      used: sky.uSat ?? (summary.hasList ? summary.used : nil), strongest: summary.strongest,
      hdop: sky.hdop, vdop: sky.vdop, pdop: sky.pdop)
  }
}

extension Receiver {
  /// The receiver as a report describes it: active where gpsd tells when it opened it.
  public init(_ device: DeviceReport) {
    let isActive = if case .opened = device.activated { true } else { false }
    self.init(
      path: device.path, driver: device.driver, subtype: device.subtype,
      bitsPerSecond: device.bps, cycle: device.cycle.flatMap(Duration.init(cycle:)),
      isActive: isActive)
  }
}

extension Duration {
  /// No receiver waits longer than a day, and a number much larger would not fit.
  fileprivate init?(cycle: Double) {
    guard (0...86_400).contains(cycle) else { return nil }
    self = .nanoseconds(Int64((cycle * 1e9).rounded()))
  }
}
