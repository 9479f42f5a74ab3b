public import LocationCore

/// gpsd's `TPV` report: the time, position and velocity of a receiver.
///
/// Properties have the names of gpsd_json(5). A value that is not reported is `nil`, as is an
/// impossible one, such as a latitude of 91 or any number of 1e15 or more. `alt` is omitted because
/// gpsd does not define its reference surface.
///
/// ```swift
/// var report = TPV()
/// report.mode = .fix3D
/// report.lat = 48.15
/// report.lon = 11.58
/// let fix = LocationFix(report)
/// ```
public struct TPV: Hashable, Sendable {
  /// The mode of a report, with gpsd's numbers.
  public enum Mode: UInt8, Hashable, Sendable, CaseIterable {
    /// The receiver has not reported a mode yet.
    case unknown = 0
    /// The receiver reports that it has no position.
    case noFix = 1
    /// The position consists of latitude and longitude.
    case fix2D = 2
    /// The position consists of latitude, longitude and height.
    case fix3D = 3
  }

  /// The receiver's path on gpsd's machine, such as `/dev/ttyACM0`.
  public var device: String?
  /// The instant of the report by the receiver's clock.
  public var time: Timestamp?
  /// The map datum, such as `WGS84`.
  public var datum: String?

  var quantities = Quantities<64>()

  /// Creates an empty report, which a test can fill.
  public init() {}

  /// The kind of position; ``Mode/unknown`` also for a mode that gpsd does not define.
  public var mode: Mode {
    get { self[.mode].flatMap { UInt8(exactly: $0) }.flatMap(Mode.init) ?? .unknown }
    set { self[.mode] = Double(newValue.rawValue) }
  }

  /// How the position was computed: 1 plain, 2 DGPS, 3 RTK fixed, 4 RTK floating, 5 dead reckoning,
  /// 6 satellites and dead reckoning, 7 time only, 8 simulated, 9 P(Y). Most reports omit it.
  public var status: Int? {
    get { self[.status].flatMap { Int(exactly: $0) } }
    set { self[.status] = newValue.map(Double.init) }
  }

  package subscript(field: Field) -> Double? {
    get { field.place < 0 ? nil : quantities[checked: field.place] }
    set { quantities[checked: field.place] = newValue }
  }
}

extension TPV {
  /// The members of the report, by name. Those before `mode` are not numbers.
  package enum Field: Int, CaseIterable, CodingKey {
    case `class`, device, time, datum
    case mode
    case lat, lon
    // In the order of `LocationFix.Quantity`, which a test verifies, so that one copy moves all.
    case status, altHAE, altMSL, geoidSep, speed, track, climb, eph, epx, epy, epv, ept, eps, epd,
      epc, sep, magtrack, magvar, velN, velE, velD, dgpsAge
    case dgpsSta, dgpsRatio, baseS, baseE, baseN, baseU, baseL, baseC, relN, relE, relD, relH, relL,
      errEllMaj, errEllMin, errEllOr, clockbias, clockdrift, leapseconds, depth, temp, wtemp,
      wanglem, wangler, wanglet, wspeedr, wspeedt, ant, antPwr, jam
    case ecefx, ecefy, ecefz, ecefpAcc, ecefvx, ecefvy, ecefvz, ecefvAcc

    /// The first member that is a quantity of a fix.
    package static let firstOfFix = status
    /// The last member that is a quantity of a fix.
    package static let lastOfFix = jam

    /// The place of a number among the quantities; negative for a field that is no number.
    var place: Int { rawValue - TPV.firstNumber }
  }
}

extension TPV: JSONRecord {
  static var firstNumber: Int { Field.mode.rawValue }

  @inline(__always)
  mutating func set(_ number: Double?, at member: Int) {
    quantities[member &- Self.firstNumber] = number
  }

  mutating func removeAll() {
    device = nil
    time = nil
    datum = nil
    quantities.removeAll()
  }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    switch member {
    case Field.device.rawValue: device = try names.read(line, &index)
    case Field.time.rawValue: time = try line.timeValue(&index)
    case Field.datum.rawValue: datum = try line.textValue(&index)
    default: try line.skipValue(&index, depth: 1)
    }
  }

  mutating func finish() throws(MalformedReport) {
    quantities.limit(Field.lat.place, to: -90...90)
    quantities.limit(Field.lon.place, to: -180...180)
    quantities.limit(Field.track.place, to: 0...360)
    quantities.limit(Field.magtrack.place, to: 0...360)
    quantities.limit(Field.dgpsAge.place, to: 0...)
    quantities.limit(Field.dgpsSta.place, to: 0...)
    quantities.limit(Field.jam.place, to: 0...255)
  }
}

extension TPV {
  /// Degrees north of the equator, -90 to 90.
  public var lat: Double? {
    get { self[.lat] }
    set { self[.lat] = newValue }
  }

  /// Degrees east of Greenwich, -180 to 180.
  public var lon: Double? {
    get { self[.lon] }
    set { self[.lon] = newValue }
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

  /// Height of mean sea level above the WGS 84 ellipsoid at this position, in metres.
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

  /// Course over ground, in degrees from magnetic north, 0 to 360, as gpsd sends it. See
  /// `LocationFix.magtrack`.
  public var magtrack: Double? {
    get { self[.magtrack] }
    set { self[.magtrack] = newValue }
  }

  /// Magnetic variation at this position, in degrees.
  public var magvar: Double? {
    get { self[.magvar] }
    set { self[.magvar] = newValue }
  }

  /// Rate of climb, in metres per second; negative is downward.
  public var climb: Double? {
    get { self[.climb] }
    set { self[.climb] = newValue }
  }

  /// Velocity to the north, in metres per second.
  public var velN: Double? {
    get { self[.velN] }
    set { self[.velN] = newValue }
  }

  /// Velocity to the east, in metres per second.
  public var velE: Double? {
    get { self[.velE] }
    set { self[.velE] = newValue }
  }

  /// Velocity downward, in metres per second.
  public var velD: Double? {
    get { self[.velD] }
    set { self[.velD] = newValue }
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

  /// Estimated spherical (3D) position error, in metres.
  public var sep: Double? {
    get { self[.sep] }
    set { self[.sep] = newValue }
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

  /// Estimated error of ``climb``, in metres per second.
  public var epc: Double? {
    get { self[.epc] }
    set { self[.epc] = newValue }
  }
}
