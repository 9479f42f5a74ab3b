extension DeviceReport {
  /// The members of the report, as they are spelled in it.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, path, activated, flags, driver, subtype, subtype1, sernum
    case native, bps, parity, stopbits, cycle, mincycle, readonly
  }
}

/// A device, alone or as an element of a list.
struct DeviceRecord: JSONRecord, Sendable {
  typealias Field = DeviceReport.Field

  var device = DeviceReport()
  /// How many objects and lists its members lie in.
  var depth = 1

  mutating func removeAll() { device = DeviceReport() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
    switch DeviceReport.Field(rawValue: member) {
    case .path: device.path = try names.read(line, &index, depth: depth) ?? ""
    case .activated: device.activated = try activation(line, &index)
    case .flags: device.flags = try line.integerValue(&index, depth: depth)
    case .driver: device.driver = try line.textValue(&index, depth: depth)
    case .subtype: device.subtype = try line.textValue(&index, depth: depth)
    case .subtype1: device.subtype1 = try line.textValue(&index, depth: depth)
    case .sernum: device.sernum = try line.textValue(&index, depth: depth)
    case .native: device.native = try line.integerValue(&index, depth: depth)
    case .bps: device.bps = try line.integerValue(&index, depth: depth)
    case .parity: device.parity = try line.textValue(&index, depth: depth)
    case .stopbits: device.stopbits = try line.integerValue(&index, depth: depth)
    case .cycle: device.cycle = try line.numberValue(&index, depth: depth)
    case .mincycle: device.mincycle = try line.numberValue(&index, depth: depth)
    case .readonly: device.readonly = try flag(line, &index)
    case .class, nil: try line.skipValue(&index, depth: depth)
    }
  }

  /// From 3.25 on gpsd writes a string where its manual has a boolean.
  private func flag(_ line: Span<UInt8>, _ index: inout Int) throws(NotJSON) -> Bool? {
    guard line.byte(index) == UInt8(ascii: "\"") else {
      return try line.booleanValue(&index, depth: depth)
    }
    return try line.textValue(&index, depth: depth).flatMap { Bool($0) }
  }

  /// gpsd writes a time, or the number 0.
  private func activation(
    _ line: Span<UInt8>, _ index: inout Int
  ) throws(NotJSON) -> DeviceReport.Activation? {
    if line.byte(index) == UInt8(ascii: "\"") {
      return try line.timeValue(&index, depth: depth).map { .opened(at: $0) }
    }
    return try line.numberValue(&index, depth: depth) == 0 ? .closed : nil
  }
}
