/// gpsd's list of the receivers that it has: its `DEVICES` report.
struct DeviceListRecord: JSONRecord, Sendable {
  /// The members of the report, as they are spelled in it.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, devices
  }

  /// Far more than gpsd opens, which is six.
  private static let mostDevices = 64
  /// The report and its list and the element itself.
  private static let elementDepth = 3

  var devices: [DeviceReport] = []
  /// How many devices were left out, of all reports.
  var dropped = 0
  private var hasList = false
  private var keys = KeyTable()

  mutating func removeAll() {
    devices = []
    hasList = false
  }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
    guard member == Field.devices.rawValue else {
      try line.skipValue(&index, depth: 1)
      return
    }
    keys.prepare(for: DeviceReport.Field.self)
    var more = try line.open("[", "]", &index)
    while more {
      var record = DeviceRecord(depth: Self.elementDepth)
      try record.readMembers(
        of: line, &index, &keys, &names, more: try line.open("{", "}", &index),
        depth: Self.elementDepth)
      if devices.count < Self.mostDevices {
        devices.append(record.device)
      } else {
        dropped += 1
      }
      more = try line.proceed(to: "]", &index)
    }
    hasList = true
  }

  mutating func finish() throws(NotJSON) {
    // Without a list there is no telling whether there are receivers.
    guard hasList else { throw NotJSON() }
  }
}
