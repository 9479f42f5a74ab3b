extension TPV {
  /// Degrees north of the equator, -90 to 90.
  public var lat: Double? { self[.lat] }

  /// Degrees east of Greenwich, -180 to 180.
  public var lon: Double? { self[.lon] }

  /// Height above the WGS 84 ellipsoid, in metres.
  public var altHAE: Double? { self[.altHAE] }

  /// Height above mean sea level, in metres.
  public var altMSL: Double? { self[.altMSL] }

  /// How far mean sea level is above the ellipsoid here, in metres.
  public var geoidSep: Double? { self[.geoidSep] }

  /// Speed over ground, in metres per second.
  public var speed: Double? { self[.speed] }

  /// Course over ground, in degrees from true north, 0 to 360.
  public var track: Double? { self[.track] }

  /// Course over ground, in degrees from magnetic north, 0 to 360.
  public var magtrack: Double? { self[.magtrack] }

  /// Magnetic variation here, in degrees.
  public var magvar: Double? { self[.magvar] }

  /// Rate of climb, in metres per second; negative is downward.
  public var climb: Double? { self[.climb] }

  /// Velocity to the north, in metres per second.
  public var velN: Double? { self[.velN] }

  /// Velocity to the east, in metres per second.
  public var velE: Double? { self[.velE] }

  /// Velocity downward, in metres per second.
  public var velD: Double? { self[.velD] }

  /// Estimated horizontal position error, in metres.
  public var eph: Double? { self[.eph] }

  /// Estimated longitude error, in metres.
  public var epx: Double? { self[.epx] }

  /// Estimated latitude error, in metres.
  public var epy: Double? { self[.epy] }

  /// Estimated vertical error, in metres.
  public var epv: Double? { self[.epv] }

  /// Estimated spherical (3D) position error, in metres.
  public var sep: Double? { self[.sep] }

  /// Estimated time error, in seconds.
  public var ept: Double? { self[.ept] }

  /// Estimated speed error, in metres per second.
  public var eps: Double? { self[.eps] }

  /// Estimated track error, in degrees.
  public var epd: Double? { self[.epd] }

  /// Estimated error of ``climb``, in metres per second.
  public var epc: Double? { self[.epc] }
}
