/// gpsd's `WATCH` report: the reports that gpsd will send, in answer to a `?WATCH` command.
public struct WatchReport: Hashable, Sendable {
  /// Whether gpsd sends reports.
  public var enable: Bool?
  /// Whether gpsd sends JSON.
  public var json: Bool?
  /// Whether gpsd sends NMEA.
  public var nmea: Bool?
  /// How the receiver's own packets are passed on: 0 not at all, 1 in hexadecimal, 2 unchanged.
  public var raw: Int?
  /// Whether gpsd scales the numbers of AIS and subframe reports.
  public var scaled: Bool?
  /// Whether reports include gpsd's processing times.
  public var timing: Bool?
  /// Whether the parts of an AIS type 24 report are sent separately.
  public var split24: Bool?
  /// Whether gpsd sends `TOFF` and `PPS` reports.
  public var pps: Bool?
  /// The only receiver that is reported; `nil` if all are. In answer to a command for a single
  /// receiver, `nil` means that gpsd did not understand it.
  public var device: String?
  /// The address of the gpsd whose reports are relayed; `nil` if none is.
  public var remote: String?

  /// Creates an empty report.
  public init() {}
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
