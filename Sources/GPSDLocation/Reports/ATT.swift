public import LocationCore

/// gpsd's `ATT` report: the attitude of a vehicle.
///
/// A value without a stated unit is in the unit of the sensor. A value that is not reported is `nil`.
public struct ATT: Hashable, Sendable {
  /// The sensor's path on gpsd's machine.
  public var device: String?
  /// The instant of the report by the sensor's clock.
  public var time: Timestamp?
  /// The state of the magnetometer, as a letter defined by the sensor; `N` is normal.
  public var magSt: String?
  /// The state of the pitch sensor.
  public var pitchSt: String?
  /// The state of the roll sensor.
  public var rollSt: String?
  /// The state of the yaw sensor.
  public var yawSt: String?

  var quantities = Quantities<27>()

  /// Creates an empty report.
  public init() {}

  /// Heading in degrees from true north.
  public var heading: Double? {
    get { self[.heading] }
    set { self[.heading] = newValue }
  }

  /// Heading in degrees from magnetic north.
  public var mheading: Double? {
    get { self[.mheading] }
    set { self[.mheading] = newValue }
  }

  /// Pitch in degrees.
  public var pitch: Double? {
    get { self[.pitch] }
    set { self[.pitch] = newValue }
  }

  /// Roll in degrees.
  public var roll: Double? {
    get { self[.roll] }
    set { self[.roll] = newValue }
  }

  /// Yaw in degrees.
  public var yaw: Double? {
    get { self[.yaw] }
    set { self[.yaw] = newValue }
  }

  /// Rate of turn, in degrees per minute.
  public var rot: Double? {
    get { self[.rot] }
    set { self[.rot] = newValue }
  }

  /// Inclination of the magnetic field, in degrees; positive is into the earth.
  public var dip: Double? {
    get { self[.dip] }
    set { self[.dip] = newValue }
  }

  /// Strength of the magnetic field.
  public var magLen: Double? {
    get { self[.mag_len] }
    set { self[.mag_len] = newValue }
  }

  /// X component of the magnetic field.
  public var magX: Double? {
    get { self[.mag_x] }
    set { self[.mag_x] = newValue }
  }

  /// Y component of the magnetic field.
  public var magY: Double? {
    get { self[.mag_y] }
    set { self[.mag_y] = newValue }
  }

  /// Z component of the magnetic field.
  public var magZ: Double? {
    get { self[.mag_z] }
    set { self[.mag_z] = newValue }
  }

  /// Magnitude of the acceleration.
  public var accLen: Double? {
    get { self[.acc_len] }
    set { self[.acc_len] = newValue }
  }

  /// X component of the acceleration.
  public var accX: Double? {
    get { self[.acc_x] }
    set { self[.acc_x] = newValue }
  }

  /// Y component of the acceleration.
  public var accY: Double? {
    get { self[.acc_y] }
    set { self[.acc_y] = newValue }
  }

  /// Z component of the acceleration.
  public var accZ: Double? {
    get { self[.acc_z] }
    set { self[.acc_z] = newValue }
  }

  /// X component of the rate of rotation.
  public var gyroX: Double? {
    get { self[.gyro_x] }
    set { self[.gyro_x] = newValue }
  }

  /// Y component of the rate of rotation.
  public var gyroY: Double? {
    get { self[.gyro_y] }
    set { self[.gyro_y] = newValue }
  }

  /// Z component of the rate of rotation.
  public var gyroZ: Double? {
    get { self[.gyro_z] }
    set { self[.gyro_z] = newValue }
  }

  /// Depth of the water, in metres.
  public var depth: Double? {
    get { self[.depth] }
    set { self[.depth] = newValue }
  }

  /// Temperature of the sensor, in degrees Celsius.
  public var temp: Double? {
    get { self[.temp] }
    set { self[.temp] = newValue }
  }

  package subscript(field: Field) -> Double? {
    get { quantities[checked: field.rawValue] }
    set { quantities[checked: field.rawValue] = newValue }
  }
}

extension ATT {
  /// The members of the report, by name. Those before `heading` are not numbers.
  package enum Field: Int, CaseIterable, CodingKey {
    case `class`, device, time
    case mag_st, pitch_st, roll_st, yaw_st
    case heading, mheading, pitch, roll, yaw, rot, dip, mag_len, mag_x, mag_y, mag_z, acc_len,
      acc_x, acc_y, acc_z, gyro_x, gyro_y, gyro_z, depth, temp
  }
}

extension ATT: JSONRecord {
  static var firstNumber: Int { Field.heading.rawValue }

  @inline(__always)
  mutating func set(_ number: Double?, at member: Int) { quantities[member] = number }

  mutating func removeAll() { self = ATT() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    switch member {
    case Field.device.rawValue: device = try names.read(line, &index)
    case Field.time.rawValue: time = try line.timeValue(&index)
    case Field.mag_st.rawValue: magSt = try line.textValue(&index)
    case Field.pitch_st.rawValue: pitchSt = try line.textValue(&index)
    case Field.roll_st.rawValue: rollSt = try line.textValue(&index)
    case Field.yaw_st.rawValue: yawSt = try line.textValue(&index)
    default: try line.skipValue(&index, depth: 1)
    }
  }
}
