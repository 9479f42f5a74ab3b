extension GST {
  /// The members of the report, as they are spelled in it. Those before `rms` are no numbers.
  package enum Field: Int, CaseIterable, CodingKey {
    case `class`, device, time
    case rms, major, minor, orient, lat, lon, alt
  }
}

extension GST: JSONRecord {
  static var firstNumber: Int { Field.rms.rawValue }

  @inline(__always)
  mutating func set(_ number: Double?, at member: Int) { quantities[member] = number }

  mutating func removeAll() { self = GST() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
    switch member {
    case Field.device.rawValue: device = try names.read(line, &index)
    case Field.time.rawValue: time = try line.timeValue(&index)
    default: try line.skipValue(&index, depth: 1)
    }
  }
}
