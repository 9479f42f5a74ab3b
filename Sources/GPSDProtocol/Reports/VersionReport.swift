/// gpsd's `VERSION` report: its release and protocol. It is the first report of a connection.
package struct VersionReport: Hashable, Sendable {
  /// The release, such as `3.22`; empty if gpsd reports none.
  package var release = ""
  /// The source revision of the build.
  package var rev: String?
  /// The major version of the protocol. It does not indicate capabilities: gpsd 3.27 reports version
  /// 0.16.
  package var protoMajor: Int?
  /// The minor version of the protocol.
  package var protoMinor: Int?
  /// The address of the gpsd whose reports are relayed; `nil` if none is.
  package var remote: String?

  /// Creates a report with only a release.
  package init(release: String = "") { self.release = release }
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
