extension LocationFix {
  /// The quantities that a receiver may report.
  package enum Quantity: UInt8, CaseIterable, Sendable {
    /// The ``LocationFix/quality``.
    case status
    case altHAE, altMSL, geoidSep, speed, track, climb
    case eph, epx, epy, epv, ept, eps, epd, epc, sep
    case magtrack, magvar, velN, velE, velD, dgpsAge
    // Only some receivers report these.
    case dgpsSta, dgpsRatio, baseS, baseE, baseN, baseU, baseL, baseC, relN, relE, relD, relH, relL
    case errEllMaj, errEllMin, errEllOr, clockbias, clockdrift, leapseconds, depth, temp, wtemp
    case wanglem, wangler, wanglet, wspeedr, wspeedt, ant, antPwr, jam
    case hdop, vdop, pdop

    package var bit: UInt64 { 1 &<< UInt64(rawValue) }

    /// The bits of the quantities that only some receivers report.
    package static var rareBits: UInt64 { (jam.bit &<< 1) &- dgpsSta.bit }

    /// Whether the quantity is the number of a word, and not a measure.
    package var isWord: Bool { self == .status || self == .ant || self == .antPwr }
  }

  /// A quantity; `nil` if it is unknown. A value that is not measurable is stored as unknown.
  package subscript(quantity: Quantity) -> Double? {
    get { values[quantity] }
    set { values[quantity] = newValue }
  }

  /// The quantities that are known: bit *n* stands for the raw value *n*.
  package var known: UInt64 { values.known }

  /// How the position was computed; `nil` if the receiver does not report it. gpsd reports qualities
  /// from ``FixQuality/dgps`` on, so it is `nil` for an ordinary fix.
  public var quality: FixQuality? {
    get {
      self[.status].flatMap { UInt8(exactly: $0) }.map(FixQuality.init)
        .flatMap { FixQuality.all.contains($0) ? $0 : nil }
    }
    set { self[.status] = newValue.map { Double($0.rawValue) } }
  }

  /// Height above the WGS 84 ellipsoid, in metres.
  public var altHAE: Double? {
    get { self[.altHAE] }
    set { self[.altHAE] = newValue }
  }

  /// Height above mean sea level, in metres.
  public var altMSL: Double? {
    get { self[.altMSL] }
    set { self[.altMSL] = newValue }
  }

  /// Height of the geoid (mean sea level) above the WGS 84 ellipsoid at the position, in metres.
  public var geoidSep: Double? {
    get { self[.geoidSep] }
    set { self[.geoidSep] = newValue }
  }

  /// Speed over ground, in metres per second.
  public var speed: Double? {
    get { self[.speed] }
    set { self[.speed] = newValue }
  }

  /// Course over ground, in degrees from true north.
  public var track: Double? {
    get { self[.track] }
    set { self[.track] = newValue }
  }

  /// Rate of climb, in metres per second; negative is downward.
  public var climb: Double? {
    get { self[.climb] }
    set { self[.climb] = newValue }
  }

  /// Estimated horizontal position error, in metres.
  public var eph: Double? {
    get { self[.eph] }
    set { self[.eph] = newValue }
  }

  /// Estimated longitude error, in metres.
  public var epx: Double? {
    get { self[.epx] }
    set { self[.epx] = newValue }
  }

  /// Estimated latitude error, in metres.
  public var epy: Double? {
    get { self[.epy] }
    set { self[.epy] = newValue }
  }

  /// Estimated vertical error, in metres.
  public var epv: Double? {
    get { self[.epv] }
    set { self[.epv] = newValue }
  }

  /// Estimated time error, in seconds.
  public var ept: Double? {
    get { self[.ept] }
    set { self[.ept] = newValue }
  }

  /// Estimated speed error, in metres per second.
  public var eps: Double? {
    get { self[.eps] }
    set { self[.eps] = newValue }
  }

  /// Estimated track error, in degrees.
  public var epd: Double? {
    get { self[.epd] }
    set { self[.epd] = newValue }
  }

  /// Estimated climb error, in metres per second.
  public var epc: Double? {
    get { self[.epc] }
    set { self[.epc] = newValue }
  }

  /// Estimated spherical (3D) position error, in metres.
  public var sep: Double? {
    get { self[.sep] }
    set { self[.sep] = newValue }
  }

  /// Course over ground, in degrees from magnetic north.
  ///
  /// gpsd computes it as ``track`` plus ``magvar`` if the receiver does not report it, although a
  /// variation to the east has to be subtracted. Where the three agree with that sum to 0.1 degrees,
  /// this is ``track`` minus ``magvar``.
  public var magtrack: Double? {
    get { self[.magtrack] }
    set { self[.magtrack] = newValue }
  }

  /// Magnetic variation at the position, in degrees; positive is east.
  public var magvar: Double? {
    get { self[.magvar] }
    set { self[.magvar] = newValue }
  }

  /// Northward velocity, in metres per second.
  public var velN: Double? {
    get { self[.velN] }
    set { self[.velN] = newValue }
  }

  /// Eastward velocity, in metres per second.
  public var velE: Double? {
    get { self[.velE] }
    set { self[.velE] = newValue }
  }

  /// Downward velocity, in metres per second.
  public var velD: Double? {
    get { self[.velD] }
    set { self[.velD] = newValue }
  }

  /// Age of the differential correction, in seconds.
  public var dgpsAge: Double? {
    get { self[.dgpsAge] }
    set { self[.dgpsAge] = newValue }
  }

  /// Horizontal dilution of precision, dimensionless.
  public var hdop: Double? {
    get { self[.hdop] }
    set { self[.hdop] = newValue }
  }

  /// Vertical dilution of precision, dimensionless.
  public var vdop: Double? {
    get { self[.vdop] }
    set { self[.vdop] = newValue }
  }

  /// Position (3D) dilution of precision, dimensionless.
  public var pdop: Double? {
    get { self[.pdop] }
    set { self[.pdop] = newValue }
  }
}
