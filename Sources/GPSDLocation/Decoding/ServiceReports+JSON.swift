extension VersionReport: JSONRecord {
  /// The members of the report, as they are spelled in it.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, release, rev, proto_major, proto_minor, remote
  }

  mutating func removeAll() { self = VersionReport() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
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
  /// The members of the report, as they are spelled in it.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, enable, json, nmea, raw, scaled, timing, split24, pps, device, remote
  }

  mutating func removeAll() { self = WatchReport() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
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
  /// The members of the report, as they are spelled in it.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, message
  }

  mutating func removeAll() { self = ErrorReport() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
    switch Field(rawValue: member) {
    case .message: message = try line.textValue(&index) ?? ""
    case .class, nil: try line.skipValue(&index, depth: 1)
    }
  }
}
