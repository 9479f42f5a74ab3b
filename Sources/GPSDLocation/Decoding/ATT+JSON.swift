extension ATT {
  /// The members of the report, as they are spelled in it. Those before `heading` are no numbers.
  package enum Field: Int, CaseIterable, CodingKey {
    case `class`, device, time
    case mag_st, pitch_st, roll_st, yaw_st
    case heading, pitch, roll, yaw, rot, dip, mag_len, mag_x, mag_y, mag_z, acc_len, acc_x,
      acc_y, acc_z, gyro_x, gyro_y, gyro_z, depth, temp
  }
}

extension ATT: JSONRecord {
  static var firstNumber: Int { Field.heading.rawValue }

  @inline(__always)
  mutating func set(_ number: Double?, at member: Int) { quantities[member] = number }

  mutating func removeAll() { self = ATT() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
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
