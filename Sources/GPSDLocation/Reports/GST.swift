public import LocationCore

/// gpsd's `GST` report: statistics of the receiver's pseudorange noise.
///
/// A value that is not reported is `nil`.
public struct GST: Hashable, Sendable {
  /// The receiver's path on gpsd's machine.
  public var device: String?
  /// The instant of the report by the receiver's clock.
  public var time: Timestamp?

  var quantities = Quantities<13>()

  /// Creates an empty report.
  public init() {}

  /// Standard deviation of the pseudoranges that the position is computed from, in metres.
  public var rms: Double? {
    get { self[.rms] }
    set { self[.rms] = newValue }
  }

  /// Standard deviation of the error ellipse's semi-major axis, in metres.
  public var major: Double? {
    get { self[.major] }
    set { self[.major] = newValue }
  }

  /// Standard deviation of the error ellipse's semi-minor axis, in metres.
  public var minor: Double? {
    get { self[.minor] }
    set { self[.minor] = newValue }
  }

  /// Orientation of the semi-major axis, in degrees from true north.
  public var orient: Double? {
    get { self[.orient] }
    set { self[.orient] = newValue }
  }

  /// Standard deviation of the latitude, in metres; not a position.
  public var lat: Double? {
    get { self[.lat] }
    set { self[.lat] = newValue }
  }

  /// Standard deviation of the longitude, in metres; not a position.
  public var lon: Double? {
    get { self[.lon] }
    set { self[.lon] = newValue }
  }

  /// Standard deviation of the height, in metres.
  public var alt: Double? {
    get { self[.alt] }
    set { self[.alt] = newValue }
  }

  /// Standard deviation of the velocity to the east, in metres per second.
  public var ve: Double? {
    get { self[.ve] }
    set { self[.ve] = newValue }
  }

  /// Standard deviation of the velocity to the north, in metres per second.
  public var vn: Double? {
    get { self[.vn] }
    set { self[.vn] = newValue }
  }

  /// Standard deviation of the upward velocity, in metres per second.
  public var vu: Double? {
    get { self[.vu] }
    set { self[.vu] = newValue }
  }

  package subscript(field: Field) -> Double? {
    get { quantities[checked: field.rawValue] }
    set { quantities[checked: field.rawValue] = newValue }
  }
}

extension GST {
  /// The members of the report, by name. Those before `rms` are not numbers.
  package enum Field: Int, CaseIterable, CodingKey {
    case `class`, device, time
    case rms, major, minor, orient, lat, lon, alt, ve, vn, vu
  }
}

extension GST: JSONRecord {
  static var firstNumber: Int { Field.rms.rawValue }

  @inline(__always)
  mutating func set(_ number: Double?, at member: Int) { quantities[member] = number }

  mutating func removeAll() { self = GST() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    switch member {
    case Field.device.rawValue: device = try names.read(line, &index)
    case Field.time.rawValue: time = try line.timeValue(&index)
    default: try line.skipValue(&index, depth: 1)
    }
  }
}
