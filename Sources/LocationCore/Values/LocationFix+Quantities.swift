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

  /// The height above mean sea level, in metres; `nil` if unknown, as in 2D.
  public var altitude: Double? {
    get { self[.altMSL] }
    set { self[.altMSL] = newValue }
  }

  /// The height above the WGS 84 ellipsoid, in metres; `nil` if unknown, as in 2D.
  public var ellipsoidalAltitude: Double? {
    get { self[.altHAE] }
    set { self[.altHAE] = newValue }
  }

  /// The speed over ground, in metres per second; `nil` if unknown.
  public var speed: Double? {
    get { self[.speed] }
    set { self[.speed] = newValue }
  }

  /// The course over ground, in degrees from true north, 0 to 360; `nil` if unknown.
  ///
  /// It is what the receiver reports. At rest, that is noise: any direction.
  public var course: Double? {
    get { self[.track] }
    set { self[.track] = newValue }
  }

  /// The rate of climb, in metres per second; negative is downward. `nil` if unknown.
  public var climbRate: Double? {
    get { self[.climb] }
    set { self[.climb] = newValue }
  }

  /// The direction in which a compass or a receiver with two antennas points, in degrees from true north, 0 to 360;
  /// `nil` if unknown. The direction of motion is ``course``.
  public var heading: Double? {
    get { self[.heading] }
    set { self[.heading] = newValue }
  }

  /// The estimated horizontal error of the position, in metres; `nil` if the receiver estimates none.
  ///
  /// This is `eph`, gpsd's "estimated horizontal position (2D) error", or √(epx² + epy²) if that is missing. To set
  /// it sets `eph`. Its confidence level is not known: gpsd_json(5) says "Certainty unknown" of all error estimates.
  public var horizontalError: Double? {
    get {
      if let error = self[.eph] { return error }
      guard let east = self[.epx], let north = self[.epy] else { return nil }
      return (east * east + north * north).squareRoot()
    }
    set { self[.eph] = newValue }
  }

  /// The estimated vertical error of the position, in metres; `nil` if the receiver estimates none.
  public var verticalError: Double? {
    get { self[.epv] }
    set { self[.epv] = newValue }
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
  package var signalsUsed: Int? {
    get { self[whole: .signalsUsed] }
    set { self[whole: .signalsUsed] = newValue }
  }

  /// The number of satellite signals in view, 0 to 65,535; `nil` if unknown.
  package var signalsSeen: Int? {
    get { self[whole: .signalsSeen] }
    set { self[whole: .signalsSeen] = newValue }
  }

  /// The state of the antenna; `nil` if it is unknown. gpsd reports only ``AntennaStatus/open`` and
  /// ``AntennaStatus/short``.
  package var antenna: AntennaStatus? {
    get { self[.ant].flatMap { Int(exactly: $0) }.flatMap(AntennaStatus.init(number:)) }
    set { self[.ant] = newValue.map { Double($0.rawValue) } }
  }

  /// Whether the antenna has power.
  package var isAntennaPowered: Bool? {
    get {
      switch self[.antPwr] {
      case 1: false
      case 2: true
      default: nil
      }
    }
    set { self[.antPwr] = newValue.map { $0 ? 2 : 1 } }
  }

  /// The level of interference, 0 (none) to 255 (strong), on the receiver's own scale. gpsd does not report a
  /// level of zero. u-blox measures continuous waves only, so a low level does not prove that there is no
  /// interference.
  package var interference: Int? {
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

  /// Whether ``course`` and the magnetic course are noise: the receiver moves more slowly than the error of its speed
  /// (`eps`, or else 0.1 m/s), and than 0.5 m/s. The direction of a velocity that is smaller than its error can be
  /// any.
  package var isCourseNoise: Bool {
    guard let speed else { return false }
    return speed < min(self[.eps] ?? Self.uncertainSpeed, Self.maximumUncertainSpeed)
  }

  /// Returns a number as records show it: without the course of a receiver at rest.
  package func shown(_ quantity: Quantity) -> Double? {
    switch quantity {
    case .track, .magtrack: isCourseNoise ? nil : self[quantity]
    default: self[quantity]
    }
  }
}
