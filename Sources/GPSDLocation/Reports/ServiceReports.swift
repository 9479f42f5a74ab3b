/// gpsd's `VERSION` report: its release and protocol. It is the first report of a connection.
public struct VersionReport: Hashable, Sendable {
  /// The release, such as `3.22`; empty if gpsd reports none.
  public var release = ""
  /// The source revision of the build.
  public var rev: String?
  /// The major version of the protocol. It does not indicate capabilities: gpsd 3.27 reports version
  /// 0.16.
  public var protoMajor: Int?
  /// The minor version of the protocol.
  public var protoMinor: Int?
  /// The address of the gpsd whose reports are relayed; `nil` if none is.
  public var remote: String?

  /// Creates a report with only a release.
  public init(release: String = "") { self.release = release }
}

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

/// gpsd's `ERROR` report: why it rejected a command.
public struct ErrorReport: Hashable, Sendable {
  /// The message, unescaped, so that it may contain any character. Empty if there is none.
  public var message = ""

  /// Creates a report with a message.
  public init(message: String = "") { self.message = message }
}

extension VersionReport: JSONRecord {
  /// The members of the report, by name.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, release, rev, proto_major, proto_minor, remote
  }

  mutating func removeAll() { self = VersionReport() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    switch Field(rawValue: member) {
    case .release: release = try line.textValue(&index) ?? ""
    case .rev: rev = try line.textValue(&index)
    case .proto_major: protoMajor = try line.integerValue(&index)
    case .proto_minor: protoMinor = try line.integerValue(&index)
    case .remote: remote = try line.textValue(&index)
    case .class, nil: try line.skipValue(&index, depth: 1)
    }
  }
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

extension ErrorReport: JSONRecord {
  /// The members of the report, by name.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, message
  }

  mutating func removeAll() { self = ErrorReport() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    switch Field(rawValue: member) {
    case .message: message = try line.textValue(&index) ?? ""
    case .class, nil: try line.skipValue(&index, depth: 1)
    }
  }
}
