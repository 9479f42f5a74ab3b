/// gpsd's `ERROR` report: why it rejected a command.
package struct ErrorReport: Hashable, Sendable {
  /// The message, unescaped, so that it may contain any character. Empty if there is none.
  package var message = ""

  /// Creates a report with a message.
  package init(message: String = "") { self.message = message }
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
