/// gpsd's `WATCH` report: the reports that gpsd will send, in answer to a `?WATCH` command.
package struct WatchReport: Hashable, Sendable {
  /// Whether gpsd sends reports.
  package var enable: Bool?
  /// Whether gpsd sends JSON.
  package var json: Bool?
  /// Whether gpsd sends NMEA.
  package var nmea: Bool?
  /// How the receiver's own packets are passed on: 0 not at all, 1 in hexadecimal, 2 unchanged.
  package var raw: Int?
  /// Whether gpsd scales the numbers of AIS and subframe reports.
  package var scaled: Bool?
  /// Whether reports include gpsd's processing times.
  package var timing: Bool?
  /// Whether the parts of an AIS type 24 report are sent separately.
  package var split24: Bool?
  /// Whether gpsd sends `TOFF` and `PPS` reports.
  package var pps: Bool?
  /// The only receiver that is reported; `nil` if all are. In answer to a command for a single
  /// receiver, `nil` means that gpsd did not understand it.
  package var device: String?
  /// The address of the gpsd whose reports are relayed; `nil` if none is.
  package var remote: String?

  /// Creates an empty report.
  package init() {}
}

extension WatchReport: JSONRecord {
  /// The members of the report, by name.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, enable, json, nmea, raw, scaled, timing, split24, pps, device, remote
  }

  mutating func removeAll() { self = WatchReport() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    switch Field(rawValue: member) {
    case .enable: enable = try line.booleanValue(&index)
    case .json: json = try line.booleanValue(&index)
    case .nmea: nmea = try line.booleanValue(&index)
    case .raw: raw = try line.integerValue(&index)
    case .scaled: scaled = try line.booleanValue(&index)
    case .timing: timing = try line.booleanValue(&index)
    case .split24: split24 = try line.booleanValue(&index)
    case .pps: pps = try line.booleanValue(&index)
    case .device: device = try names.read(line, &index)
    case .remote: remote = try line.textValue(&index)
    case .class, nil: try line.skipValue(&index, depth: 1)
    }
  }
}
