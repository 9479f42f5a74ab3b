/// A report that is only checked, and counted by its class.
struct OtherRecord: JSONRecord, Sendable {
  /// The one member that matters.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`
  }

  private(set) var name = ""
  private var names = RepeatedName()

  mutating func removeAll() {}

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout RepeatedName
  ) throws(NotJSON) {
    try line.skipValue(&index, depth: 1)
  }

  mutating func readName(_ line: Span<UInt8>, _ header: ReportHeader) throws(NotJSON) {
    var index = header.nameStart
    name = try names.read(line, &index) ?? ""
  }
}
