package import LocationCore

/// A field of a fix, by its name in JSON, CSV and templates.
package enum FixField: String, CaseIterable, Sendable {
  case device, time, unix, unixms, received, age, current, timeJump, mode, fix, quality, lat, lon
  case altMSL, altHAE, geoidSep, speed, track, climb, accuracy, epx, epy, epv
  case satsUsed, satsSeen, signalsUsed, signalsSeen, hdop, vdop, pdop, ept, eps, epd, epc, sep
  case magtrack, magvar, velN, velE, velD, dgpsAge
  case dgpsSta, dgpsRatio, baseS, baseE, baseN, baseU, baseL, baseC, relN, relE, relD, relH, relL
  case errEllMaj, errEllMin, errEllOr, clockbias, clockdrift, leapseconds, depth, temp, wtemp
  case wanglem, wangler, wanglet, wspeedr, wspeedt, antenna, antennaPower, jam
  case maidenhead, utm, mgrs
  case speedInKnots = "speed:kn"
  case speedInKilometresPerHour = "speed:kmh"

  /// Returns the value of a numeric field in SI units; `nil` if it is unknown or has none.
  @inline(__always)
  func number(of fix: LocationFix) -> Double? {
    switch self {
    case .device, .time, .unix, .unixms, .received, .current, .mode, .fix, .quality, .satsUsed,
      .satsSeen,
      .signalsUsed, .signalsSeen, .maidenhead, .utm, .mgrs, .speedInKnots,
      .speedInKilometresPerHour:
      nil
    case .age: fix.age
    case .timeJump: fix.timeJump?.inSeconds
    case .lat: fix.coordinate.latitude
    case .lon: fix.coordinate.longitude
    case .altMSL: fix.altMSL
    case .altHAE: fix.altHAE
    case .geoidSep: fix.geoidSep
    case .speed: fix.speed
    case .track: fix.track
    case .climb: fix.climb
    case .accuracy: fix.accuracy
    case .epx: fix.epx
    case .epy: fix.epy
    case .epv: fix.epv
    case .hdop: fix.hdop
    case .vdop: fix.vdop
    case .pdop: fix.pdop
    case .ept: fix.ept
    case .eps: fix.eps
    case .epd: fix.epd
    case .epc: fix.epc
    case .sep: fix.sep
    case .magtrack: fix.magtrack
    case .magvar: fix.magvar
    case .velN: fix.velN
    case .velE: fix.velE
    case .velD: fix.velD
    case .dgpsAge: fix.dgpsAge
    default: nil  // A `RareField`.
    }
  }

  /// The description of the field with its unit, for the manual page.
  package var meaning: String {
    switch self {
    case .device: "the receiver's path on gpsd's machine"
    case .time: "the time of the fix by the receiver's clock, UTC, ISO 8601"
    case .unix: "the time in whole seconds since 1970; in CSV and templates only"
    case .unixms: "the time in milliseconds since 1970; in CSV and templates only"
    case .received: "when this machine received it, by its own clock, UTC, ISO 8601"
    case .age: "received minus time, in seconds"
    case .current: "false if the fix was delayed and is no longer current"
    case .timeJump: "how far the receiver's clock jumped at this fix, in seconds"
    case .mode: "gpsd's mode: 2 or 3"
    case .fix: "the mode in words: 2d or 3d"
    case .quality:
      "how the position was computed: gps, dgps, rtk-fixed, rtk-float, dr (dead reckoning), gnss-dr, "
        + "time-only (a surveyed position), simulated or py; unknown for an ordinary fix"
    case .lat: "latitude in degrees, north is positive, WGS 84"
    case .lon: "longitude in degrees, east is positive, WGS 84"
    case .altMSL: "height above mean sea level, in metres"
    case .altHAE: "height above the WGS 84 ellipsoid, in metres"
    case .geoidSep: "height of mean sea level above the ellipsoid, in metres"
    case .speed: "speed over ground, in metres per second"
    case .track: "course over ground, in degrees from true north"
    case .climb: "rate of climb, in metres per second, up is positive"
    case .accuracy: "estimated horizontal error, in metres"
    case .epx: "estimated error of the longitude, in metres"
    case .epy: "estimated error of the latitude, in metres"
    case .epv: "estimated error of the height, in metres"
    case .satsUsed: "satellites used to compute the position"
    case .satsSeen: "satellites in view"
    case .signalsUsed: "signals used to compute the position: a satellite can send several"
    case .signalsSeen: "signals in view"
    case .hdop: "horizontal dilution of precision, no unit"
    case .vdop: "vertical dilution of precision, no unit"
    case .pdop: "position (3D) dilution of precision, no unit"
    case .ept: "estimated error of the time, in seconds"
    case .eps: "estimated error of the speed, in metres per second"
    case .epd: "estimated error of the track, in degrees"
    case .epc: "estimated error of the climb, in metres per second"
    case .sep: "estimated spherical (3D) error, in metres"
    case .magtrack:
      "course over ground, in degrees from magnetic north: where gpsd has added magvar to track, "
        + "which is the wrong sign, this is track minus magvar"
    case .magvar: "magnetic variation, in degrees, east is positive"
    case .velN: "velocity to the north, in metres per second"
    case .velE: "velocity to the east, in metres per second"
    case .velD: "velocity downward, in metres per second"
    case .dgpsAge: "age of the differential correction, in seconds"
    case .maidenhead: "the Maidenhead locator; in CSV and templates only"
    case .utm: "UTM or UPS: zone and band, easting and northing; in CSV and templates only"
    case .mgrs: "the Military Grid Reference System, to the metre; in CSV and templates only"
    case .speedInKnots: "speed over ground, in knots; in CSV and templates only"
    case .speedInKilometresPerHour:
      "speed over ground, in kilometres per hour; in CSV and templates only"
    default: RareField.byField[self]?.meaning ?? ""
    }
  }
}

extension TextBuffer {
  /// Appends the field as plain text, or nothing if it is unknown.
  ///
  /// - Returns: Whether the field is known.
  @discardableResult
  package mutating func append(_ field: FixField, of fix: LocationFix) -> Bool {
    let before = count
    switch field {
    case .device: append(visible: fix.device ?? "")
    case .time: if let time = fix.time { append(time: time) }
    case .unix: if let time = fix.time { append(integer: Int(time.secondsSince1970)) }
    case .unixms: if let time = fix.time { append(integer: Int(time.millisecondsSince1970)) }
    case .received: if let received = fix.received { append(milliseconds: received) }
    case .current: append(text: fix.isCurrent ? "true" : "false")
    case .mode: append(integer: Int(fix.mode.rawValue))
    case .fix: append(text: fix.mode == .fix3D ? "3d" : "2d")
    case .quality: if let quality = fix.quality { append(text: quality.name) }
    case .satsUsed: if let used = fix.satellitesUsed { append(integer: used) }
    case .satsSeen: if let seen = fix.satellitesSeen { append(integer: seen) }
    case .signalsUsed: if let used = fix.signalsUsed { append(integer: used) }
    case .signalsSeen: if let seen = fix.signalsSeen { append(integer: seen) }
    case .maidenhead: append(maidenhead: fix.coordinate)
    case .utm: append(utm: fix.coordinate)
    case .mgrs: append(text: UTMCoordinate(fix.coordinate).mgrs)
    case .speedInKnots: append(speed: fix.speed, in: .nautical)
    case .speedInKilometresPerHour: append(speed: fix.speed, in: .metric)
    case .age: if let age = fix.age { append(rounded: age, places: 3) }
    case .accuracy:
      if let accuracy = fix.accuracy { append(accuracy: accuracy, of: fix) }
    case .timeJump, .lat, .lon, .altMSL, .altHAE, .geoidSep, .speed, .track, .climb, .epx, .epy,
      .epv, .hdop, .vdop, .pdop, .ept, .eps, .epd, .epc, .sep, .magtrack, .magvar, .velN, .velE,
      .velD, .dgpsAge:
      if let number = field.number(of: fix) { append(number: number) }
    default: if let rare = RareField.byField[field] { append(rare, of: fix) }
    }
    return count > before
  }

  /// Appends the speed rounded to a thousandth, or nothing if it is unknown.
  private mutating func append(speed metresPerSecond: Double?, in units: UnitSystem) {
    guard let metresPerSecond else { return }
    append(rounded: units.speed(metresPerSecond), places: 3)
  }
}
