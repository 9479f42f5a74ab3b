package import LocationCore

/// gpsd's `ATT` report: the attitude of a vehicle.
///
/// A value without a stated unit is in the unit of the sensor. A value that is not reported is `nil`, as
/// is one that cannot be, such as a heading beyond 360°.
package struct ATT: Hashable, Sendable {
  /// The sensor's path on gpsd's machine.
  package var device: String?
  /// The instant of the report by the sensor's clock.
  package var time: Timestamp?
  /// The state of the magnetometer, as a letter defined by the sensor; `N` is normal.
  package var magSt: String?
  /// The state of the pitch sensor.
  package var pitchSt: String?
  /// The state of the roll sensor.
  package var rollSt: String?
  /// The state of the yaw sensor.
  package var yawSt: String?

  var quantities = QuantitiesOfReport()

  /// Creates an empty report.
  package init() {}

  /// A number of the report, by its name in gpsd_json(5).
  package enum Quantity: Int, CaseIterable, Sendable {
    /// The heading in degrees: from true north, and from magnetic north.
    case heading, mheading
    /// An angle in degrees.
    case pitch, roll, yaw
    /// The rate of turn, in degrees per minute.
    case rot
    /// The inclination of the magnetic field, in degrees; positive is into the earth.
    case dip
    /// The strength of the magnetic field, and its components.
    case mag_len, mag_x, mag_y, mag_z
    /// The magnitude of the acceleration, and its components.
    case acc_len, acc_x, acc_y, acc_z
    /// A component of the rate of rotation.
    case gyro_x, gyro_y, gyro_z
    /// The depth of the water, in metres.
    case depth
    /// The temperature of the sensor, in degrees Celsius.
    case temp
  }

  /// A number by its name in gpsd_json(5); `nil` if it is not reported.
  package subscript(quantity: Quantity) -> Double? {
    get { quantities[quantity.rawValue] }
    set { quantities[quantity.rawValue] = newValue.within(Quantity.ranges[quantity.rawValue]) }
  }
}

extension ATT: JSONRecord {
  /// The members of the report that are not numbers.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, device, time
    case mag_st, pitch_st, roll_st, yaw_st
  }

  static var firstNumber: Int { Field.yaw_st.rawValue + 1 }
  static var otherMembers: [(name: String, number: Int)] {
    members(
      "heading", "mheading", "pitch", "roll", "yaw", "rot", "dip", "mag_len", "mag_x", "mag_y",
      "mag_z", "acc_len", "acc_x", "acc_y", "acc_z", "gyro_x", "gyro_y", "gyro_z", "depth",
      "temp")
  }

  @inline(__always)
  mutating func set(_ number: Double?, at member: Int) {
    quantities[member &- Self.firstNumber] = number
  }

  static func isPossible(_ number: Double, at member: Int) -> Bool {
    Quantity.ranges[member &- firstNumber].contains(number)
  }

  mutating func finish() throws(MalformedReport) -> Int {
    quantities.removeImpossible(Quantity.ranges)
  }

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
