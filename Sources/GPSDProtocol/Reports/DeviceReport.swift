package import LocationCore

/// gpsd's `DEVICE` report, and an element of its `DEVICES` report: a receiver known to gpsd.
package struct DeviceReport: Hashable, Sendable {
  /// Whether gpsd has the receiver open.
  package enum Activation: Hashable, Sendable {
    /// gpsd opened the receiver at this time, by the clock of its machine.
    case opened(at: Timestamp)
    /// gpsd closed the receiver, or it was removed: `"activated":0`.
    case closed
  }

  /// The path on gpsd's machine, such as `/dev/ttyACM0`; empty if gpsd reports none.
  package var path = ""
  /// Whether and when gpsd opened the receiver; `nil` if it never has.
  package var activated: Activation?
  /// The sum of the kinds of packets seen: 1 GPS, 2 RTCM2, 4 RTCM3, 8 AIS.
  package var flags: Int?
  /// gpsd's name for the kind of receiver, such as `u-blox`.
  package var driver: String?
  /// The receiver's description of itself, often its hardware.
  package var subtype: String?
  /// A second description, often the firmware.
  package var subtype1: String?
  /// The serial number.
  package var sernum: String?
  /// The protocol: 0 for NMEA, 1 for the receiver's own binary protocol.
  package var native: Int?
  /// The speed of the serial line, in bits per second.
  package var bps: Int?
  /// The parity: `N` for none, `O` for odd, `E` for even.
  package var parity: String?
  /// The number of stop bits, 1 or 2.
  package var stopbits: Int?
  /// The time between two reports of the receiver, in seconds.
  package var cycle: Double?
  /// The shortest possible ``cycle``, in seconds.
  package var mincycle: Double?
  /// Whether gpsd must not write to the receiver.
  package var readonly: Bool?

  /// Creates a report with only a path.
  package init(path: String = "") { self.path = path }
}

extension DeviceReport {
  /// The members of the report, by name.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, path, activated, flags, driver, subtype, subtype1, sernum
    case native, bps, parity, stopbits, cycle, mincycle, readonly
  }
}

/// A decoded device, by itself or as an element of a list.
struct DeviceRecord: JSONRecord, Sendable {
  typealias Field = DeviceReport.Field

  var device = DeviceReport()
  /// The nesting depth of the members.
  var depth = 1

  mutating func removeAll() { device = DeviceReport() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
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

  /// Reads a boolean, which gpsd 3.25 and later write as a string, unlike their manual.
  private func flag(_ line: Span<UInt8>, _ index: inout Int) throws(MalformedReport) -> Bool? {
    guard line.byte(index) == UInt8(ascii: "\"") else {
      return try line.booleanValue(&index, depth: depth)
    }
    return try line.textValue(&index, depth: depth).flatMap { Bool($0) }
  }

  /// Reads a time, or the number 0 for a closed receiver.
  private func activation(
    _ line: Span<UInt8>, _ index: inout Int
  ) throws(MalformedReport) -> DeviceReport.Activation? {
    if line.byte(index) == UInt8(ascii: "\"") {
      return try line.timeValue(&index, depth: depth).map { .opened(at: $0) }
    }
    return try line.numberValue(&index, depth: depth) == 0 ? .closed : nil
  }
}

/// A decoded `DEVICES` report: the list of gpsd's receivers.
struct DeviceListRecord: JSONRecord, Sendable {
  /// The members of the report, by name.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, devices
  }

  /// The maximum number of devices. gpsd opens at most six.
  private static let maximumDevices = 64
  /// The nesting depth of an element's members: the report, its list and the element.
  private static let elementDepth = 3

  var devices: [DeviceReport] = []
  /// The number of devices omitted, over all reports.
  var dropped = 0
  private var hasList = false
  private var keys = KeyTable()

  mutating func removeAll() {
    devices = []
    hasList = false
  }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
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
      if devices.count < Self.maximumDevices {
        devices.append(record.device)
      } else {
        dropped += 1
      }
      more = try line.proceed(to: "]", &index)
    }
    hasList = true
  }

  mutating func finish() throws(MalformedReport) -> Int {
    // Without a list, it is unknown whether there are receivers.
    guard hasList else { throw MalformedReport() }
    return 0
  }
}
