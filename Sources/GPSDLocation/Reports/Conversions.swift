public import LocationCore

extension LocationFix {
  /// The fix that a report gives, without a receive time. `nil` where it gives none: where the mode
  /// is below 2D, or latitude or longitude is missing.
  public init?(_ tpv: TPV) {
    guard let values = FixValues(tpv) else { return nil }
    self.init(values)
  }
}

extension FixValues {
  init?(_ tpv: borrowing TPV) {
    guard
      tpv.mode >= .twoD, let latitude = tpv.lat, let longitude = tpv.lon,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self.init(
      coordinate: coordinate, mode: tpv.mode, device: tpv.device ?? "", time: tpv.time)
    self[.altHAE] = tpv.altHAE
    self[.altMSL] = tpv.altMSL
    self[.geoidSep] = tpv.geoidSep
    self[.speed] = tpv.speed
    self[.track] = tpv.track
    self[.climb] = tpv.climb
    self[.eph] = tpv.eph
    self[.epx] = tpv.epx
    self[.epy] = tpv.epy
    self[.epv] = tpv.epv
    self[.ept] = tpv.ept
    self[.eps] = tpv.eps
    self[.epd] = tpv.epd
    self[.epc] = tpv.epc
    self[.sep] = tpv.sep
    self[.magtrack] = tpv.magtrack
    self[.magvar] = tpv.magvar
    self[.velN] = tpv.velN
    self[.velE] = tpv.velE
    self[.velD] = tpv.velD
    self[.dgpsAge] = tpv.dgpsAge
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
