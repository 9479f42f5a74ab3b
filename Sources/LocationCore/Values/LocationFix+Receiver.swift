// Quantities that only some receivers report.

extension LocationFix {
  /// State of the antenna.
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

  /// Number of the station that provides the differential correction.
  public var dgpsSta: Int? {
    get { self[.dgpsSta].flatMap { Int(exactly: $0) } }
    set { self[.dgpsSta] = newValue.map(Double.init) }
  }

  /// Ratio of the ambiguity resolution, dimensionless.
  public var dgpsRatio: Double? {
    get { self[.dgpsRatio] }
    set { self[.dgpsRatio] = newValue }
  }

  /// How the baseline was computed, with the numbers of ``LocationFix/quality``.
  public var baseS: Int? {
    get { self[.baseS].flatMap { Int(exactly: $0) } }
    set { self[.baseS] = newValue.map(Double.init) }
  }

  /// East component of the baseline, in metres.
  public var baseE: Double? {
    get { self[.baseE] }
    set { self[.baseE] = newValue }
  }

  /// North component of the baseline, in metres.
  public var baseN: Double? {
    get { self[.baseN] }
    set { self[.baseN] = newValue }
  }

  /// Up component of the baseline, in metres.
  public var baseU: Double? {
    get { self[.baseU] }
    set { self[.baseU] = newValue }
  }

  /// Length of the baseline, in metres.
  public var baseL: Double? {
    get { self[.baseL] }
    set { self[.baseL] = newValue }
  }

  /// Course of the baseline, in degrees.
  public var baseC: Double? {
    get { self[.baseC] }
    set { self[.baseC] = newValue }
  }

  /// North component of the position relative to the base, in metres.
  public var relN: Double? {
    get { self[.relN] }
    set { self[.relN] = newValue }
  }

  /// East component of the position relative to the base, in metres.
  public var relE: Double? {
    get { self[.relE] }
    set { self[.relE] = newValue }
  }

  /// Down component of the position relative to the base, in metres.
  public var relD: Double? {
    get { self[.relD] }
    set { self[.relD] = newValue }
  }

  /// Heading of the position relative to the base, in degrees.
  public var relH: Double? {
    get { self[.relH] }
    set { self[.relH] = newValue }
  }

  /// Distance from the base, in metres.
  public var relL: Double? {
    get { self[.relL] }
    set { self[.relL] = newValue }
  }

  /// Semi-major axis of the error ellipse of the position, in metres. gpsd states no confidence.
  public var errEllMaj: Double? {
    get { self[.errEllMaj] }
    set { self[.errEllMaj] = newValue }
  }

  /// Semi-minor axis of the error ellipse of the position, in metres.
  public var errEllMin: Double? {
    get { self[.errEllMin] }
    set { self[.errEllMin] = newValue }
  }

  /// Orientation of the major axis of the error ellipse, in degrees from true north.
  public var errEllOr: Double? {
    get { self[.errEllOr] }
    set { self[.errEllOr] = newValue }
  }

  /// Bias of the receiver's clock, in nanoseconds.
  public var clockbias: Double? {
    get { self[.clockbias] }
    set { self[.clockbias] = newValue }
  }

  /// Drift of the receiver's clock, in nanoseconds per second.
  public var clockdrift: Double? {
    get { self[.clockdrift] }
    set { self[.clockdrift] = newValue }
  }

  /// Leap seconds: the difference of GPS time and UTC, in seconds.
  public var leapseconds: Int? {
    get { self[.leapseconds].flatMap { Int(exactly: $0) } }
    set { self[.leapseconds] = newValue.map(Double.init) }
  }

  /// Depth of the water, in metres.
  public var depth: Double? {
    get { self[.depth] }
    set { self[.depth] = newValue }
  }

  /// Temperature of the receiver, in degrees Celsius.
  public var temp: Double? {
    get { self[.temp] }
    set { self[.temp] = newValue }
  }

  /// Temperature of the water, in degrees Celsius.
  public var wtemp: Double? {
    get { self[.wtemp] }
    set { self[.wtemp] = newValue }
  }

  /// Direction of the wind from magnetic north, in degrees.
  public var wanglem: Double? {
    get { self[.wanglem] }
    set { self[.wanglem] = newValue }
  }

  /// Direction of the wind from the bow, in degrees.
  public var wangler: Double? {
    get { self[.wangler] }
    set { self[.wangler] = newValue }
  }

  /// Direction of the wind from true north, in degrees.
  public var wanglet: Double? {
    get { self[.wanglet] }
    set { self[.wanglet] = newValue }
  }

  /// Speed of the wind relative to the ship, in metres per second.
  public var wspeedr: Double? {
    get { self[.wspeedr] }
    set { self[.wspeedr] = newValue }
  }

  /// True speed of the wind, in metres per second.
  public var wspeedt: Double? {
    get { self[.wspeedt] }
    set { self[.wspeedt] = newValue }
  }

  /// Level of jamming, 0 (none) to 255 (strong).
  public var jam: Int? {
    get { self[.jam].flatMap { Int(exactly: $0) } }
    set { self[.jam] = newValue.map(Double.init) }
  }
}
