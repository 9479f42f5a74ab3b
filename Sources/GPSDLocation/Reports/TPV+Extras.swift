extension TPV {
  /// Age of the differential correction, in seconds.
  public var dgpsAge: Double? {
    get { self[.dgpsAge] }
    set { self[.dgpsAge] = newValue }
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

  /// How the baseline was computed, with the numbers of ``status``.
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

  /// Position on the earth-centred, earth-fixed (ECEF) x axis, in metres.
  public var ecefx: Double? {
    get { self[.ecefx] }
    set { self[.ecefx] = newValue }
  }

  /// Position on the ECEF y axis, in metres.
  public var ecefy: Double? {
    get { self[.ecefy] }
    set { self[.ecefy] = newValue }
  }

  /// Position on the ECEF z axis, in metres.
  public var ecefz: Double? {
    get { self[.ecefz] }
    set { self[.ecefz] = newValue }
  }

  /// Estimated error of the ECEF position, in metres.
  public var ecefpAcc: Double? {
    get { self[.ecefpAcc] }
    set { self[.ecefpAcc] = newValue }
  }

  /// Velocity along the ECEF x axis, in metres per second.
  public var ecefvx: Double? {
    get { self[.ecefvx] }
    set { self[.ecefvx] = newValue }
  }

  /// Velocity along the ECEF y axis, in metres per second.
  public var ecefvy: Double? {
    get { self[.ecefvy] }
    set { self[.ecefvy] = newValue }
  }

  /// Velocity along the ECEF z axis, in metres per second.
  public var ecefvz: Double? {
    get { self[.ecefvz] }
    set { self[.ecefvz] = newValue }
  }

  /// Estimated error of the ECEF velocity, in metres per second.
  public var ecefvAcc: Double? {
    get { self[.ecefvAcc] }
    set { self[.ecefvAcc] = newValue }
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

  /// State of the antenna: 0 unknown, 1 OK, 2 open, 3 shorted.
  public var ant: Int? {
    get { self[.ant].flatMap { Int(exactly: $0) } }
    set { self[.ant] = newValue.map(Double.init) }
  }

  /// Power of the antenna: 1 off, 2 on.
  public var antPwr: Int? {
    get { self[.antPwr].flatMap { Int(exactly: $0) } }
    set { self[.antPwr] = newValue.map(Double.init) }
  }

  /// Level of jamming, 0 (none) to 255 (strong).
  public var jam: Int? {
    get { self[.jam].flatMap { Int(exactly: $0) } }
    set { self[.jam] = newValue.map(Double.init) }
  }
}
