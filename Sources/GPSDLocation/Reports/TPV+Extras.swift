extension TPV {
  /// Age of the differential correction, in seconds.
  public var dgpsAge: Double? { self[.dgpsAge] }

  /// The station that the differential correction comes from.
  public var dgpsSta: Int? { self[.dgpsSta].flatMap { Int(exactly: $0) } }

  /// Ratio of the ambiguity resolution, without a unit.
  public var dgpsRatio: Double? { self[.dgpsRatio] }

  /// How the baseline was fixed, numbered as ``status``.
  public var baseS: Int? { self[.baseS].flatMap { Int(exactly: $0) } }

  /// East component of the baseline, in metres.
  public var baseE: Double? { self[.baseE] }

  /// North component of the baseline, in metres.
  public var baseN: Double? { self[.baseN] }

  /// Up component of the baseline, in metres.
  public var baseU: Double? { self[.baseU] }

  /// Length of the baseline, in metres.
  public var baseL: Double? { self[.baseL] }

  /// Course of the baseline, in degrees.
  public var baseC: Double? { self[.baseC] }

  /// North component of the position relative to the base, in metres.
  public var relN: Double? { self[.relN] }

  /// East component of the position relative to the base, in metres.
  public var relE: Double? { self[.relE] }

  /// Down component of the position relative to the base, in metres.
  public var relD: Double? { self[.relD] }

  /// Heading of the position relative to the base, in degrees.
  public var relH: Double? { self[.relH] }

  /// Distance from the base, in metres.
  public var relL: Double? { self[.relL] }

  /// Position on the earth-centred, earth-fixed x axis, in metres.
  public var ecefx: Double? { self[.ecefx] }

  /// Position on the y axis, in metres.
  public var ecefy: Double? { self[.ecefy] }

  /// Position on the z axis, in metres.
  public var ecefz: Double? { self[.ecefz] }

  /// Estimated error of that position, in metres.
  public var ecefpAcc: Double? { self[.ecefpAcc] }

  /// Velocity along the x axis, in metres per second.
  public var ecefvx: Double? { self[.ecefvx] }

  /// Velocity along the y axis, in metres per second.
  public var ecefvy: Double? { self[.ecefvy] }

  /// Velocity along the z axis, in metres per second.
  public var ecefvz: Double? { self[.ecefvz] }

  /// Estimated error of that velocity, in metres per second.
  public var ecefvAcc: Double? { self[.ecefvAcc] }

  /// How far the receiver's clock is off, in nanoseconds.
  public var clockbias: Double? { self[.clockbias] }

  /// How fast that grows, in nanoseconds per second.
  public var clockdrift: Double? { self[.clockdrift] }

  /// Leap seconds: how far GPS time is ahead of UTC.
  public var leapseconds: Int? { self[.leapseconds].flatMap { Int(exactly: $0) } }

  /// Depth of the water, in metres.
  public var depth: Double? { self[.depth] }

  /// Temperature of the receiver, in degrees Celsius.
  public var temp: Double? { self[.temp] }

  /// Temperature of the water, in degrees Celsius.
  public var wtemp: Double? { self[.wtemp] }

  /// Direction of the wind from magnetic north, in degrees.
  public var wanglem: Double? { self[.wanglem] }

  /// Direction of the wind from the bow, in degrees.
  public var wangler: Double? { self[.wangler] }

  /// Direction of the wind from true north, in degrees.
  public var wanglet: Double? { self[.wanglet] }

  /// Speed of the wind relative to the ship, in metres per second.
  public var wspeedr: Double? { self[.wspeedr] }

  /// True speed of the wind, in metres per second.
  public var wspeedt: Double? { self[.wspeedt] }

  /// The antenna: 1 all right, 2 open, 3 shorted; 0 unknown.
  public var ant: Int? { self[.ant].flatMap { Int(exactly: $0) } }

  /// The antenna's power: 0 off, 1 on.
  public var antPwr: Int? { self[.antPwr].flatMap { Int(exactly: $0) } }

  /// Jamming: 0 none to 255 strong.
  public var jam: Int? { self[.jam].flatMap { Int(exactly: $0) } }
}
