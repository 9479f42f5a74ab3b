extension LocationFix {
  /// How the position was computed; `nil` if the receiver does not report it. gpsd does not report
  /// ``FixQuality/gps``, so it is `nil` for an ordinary fix.
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

  /// Course over ground, in degrees from true north, 0 to 360.
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

  /// Course over ground, in degrees from magnetic north, 0 to 360.
  ///
  /// If the receiver does not report it, gpsd wrongly computes it as ``track`` plus ``magvar``: a variation to the
  /// east has to be subtracted. If the three numbers agree with that sum to 0.1 degrees, this is ``track`` minus
  /// ``magvar``.
  public var magtrack: Double? {
    get { self[.magtrack] }
    set { self[.magtrack] = newValue }
  }

  /// Magnetic variation at the position, in degrees, -180 to 180; positive is east.
  public var magvar: Double? {
    get { self[.magvar] }
    set { self[.magvar] = newValue }
  }

  /// The direction in which a compass or a receiver with two antennas points, in degrees from true north, 0 to 360.
  /// The direction of motion is ``track``.
  public var heading: Double? {
    get { self[.heading] }
    set { self[.heading] = newValue }
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

  /// The number of satellites used to compute the position, 0 to 65,535; `nil` if unknown.
  ///
  /// A satellite is used if at least one of its signals is. See ``SkyView/seen``.
  public var satellitesUsed: Int? {
    get { self[whole: .satsUsed] }
    set { self[whole: .satsUsed] = newValue }
  }

  /// The number of satellites in view, 0 to 65,535; `nil` if unknown. See ``SkyView/seen``.
  public var satellitesSeen: Int? {
    get { self[whole: .satsSeen] }
    set { self[whole: .satsSeen] = newValue }
  }

  /// The number of satellite signals used to compute the position, 0 to 65,535; `nil` if unknown.
  public var signalsUsed: Int? {
    get { self[whole: .signalsUsed] }
    set { self[whole: .signalsUsed] = newValue }
  }

  /// The number of satellite signals in view, 0 to 65,535; `nil` if unknown.
  public var signalsSeen: Int? {
    get { self[whole: .signalsSeen] }
    set { self[whole: .signalsSeen] = newValue }
  }

  /// The state of the antenna; `nil` if it is unknown. gpsd reports only ``AntennaStatus/open`` and
  /// ``AntennaStatus/short``.
  public var antenna: AntennaStatus? {
    get { self[.ant].flatMap { Int(exactly: $0) }.flatMap(AntennaStatus.init(number:)) }
    set { self[.ant] = newValue.map { Double($0.rawValue) } }
  }

  /// Whether the antenna has power.
  public var isAntennaPowered: Bool? {
    get {
      switch self[.antPwr] {
      case 1: false
      case 2: true
      default: nil
      }
    }
    set { self[.antPwr] = newValue.map { $0 ? 2 : 1 } }
  }

  /// The strength of interference, 0 (none) to 255 (strong), on the receiver's own scale. gpsd does not report a
  /// level of zero. u-blox measures continuous waves only, so a low level does not prove that there is no
  /// interference.
  public var jam: Int? {
    get { self[whole: .jam] }
    set { self[whole: .jam] = newValue }
  }

  /// A whole number; `nil` if it has a fraction.
  private subscript(whole quantity: Quantity) -> Int? {
    @inline(__always)
    get { self[quantity].flatMap { Int(exactly: $0) } }
    set { self[quantity] = newValue.map(Double.init) }
  }
}

extension LocationFix {
  /// The speed below which the course of a receiver that does not report the error of its speed is noise, in m/s:
  /// data sheets of receivers give an accuracy of their velocity of 0.05 to 0.1 m/s.
  private static let uncertainSpeed = 0.1
  /// The speed above which a course is a measurement, whatever the claimed error of the speed, in m/s. For a
  /// receiver that reports no error, gpsd derives several metres per second from the position.
  private static let maximumUncertainSpeed = 0.5

  /// Whether ``track`` and the magnetic track are noise: the receiver moves more slowly than the error of its speed
  /// (`eps`, or else 0.1 m/s), and than 0.5 m/s. The direction of a velocity that is smaller than its error can be
  /// any.
  package var isCourseNoise: Bool {
    guard let speed else { return false }
    return speed < min(self[.eps] ?? Self.uncertainSpeed, Self.maximumUncertainSpeed)
  }

  /// The course over ground, as records show it; `nil` at rest, where it is noise.
  package var course: Double? { isCourseNoise ? nil : track }

  /// Returns a number as records show it: without the course of a receiver at rest.
  package func shown(_ quantity: Quantity) -> Double? {
    switch quantity {
    case .track, .magtrack: isCourseNoise ? nil : self[quantity]
    default: self[quantity]
    }
  }
}
