/// The class of a report, which decides how the rest is read.
struct ReportHeader {
  /// The class, `nil` where it is none that is decoded.
  let name: ReportClass?
  /// Where the class stands in the line.
  let nameStart: Int
  /// Where the members are that are still to be read.
  let rest: Int
  /// Whether there are any.
  let hasMore: Bool
  /// A bit for `class`, the first member of every table, where it is not among them.
  let seen: UInt64

  /// Finds the class. gpsd writes it first; where it comes later, what came before it is read
  /// again when it is known.
  ///
  /// - Throws: Where there is none.
  @inline(__always)
  init(_ line: Span<UInt8>, _ index: inout Int, _ keys: inout DecoderKeys) throws(NotJSON) {
    keys.prepare()
    guard try line.open("{", "}", &index) else { throw NotJSON() }
    let first = index
    if try line.member(&index, of: &keys.other, after: KeyTable.start) != nil {
      line.skipSpace(&index)
      nameStart = index
      name = try Self.name(line, &index, keys.classes)
      hasMore = try line.proceed(to: "}", &index)
      rest = index
      seen = 1
    } else {
      index = first
      while try line.member(&index, of: &keys.other, after: KeyTable.start) == nil {
        try line.skipValue(&index, depth: 1)
        guard try line.proceed(to: "}", &index) else { throw NotJSON() }
      }
      line.skipSpace(&index)
      nameStart = index
      name = try Self.name(line, &index, keys.classes)
      hasMore = true
      rest = first
      seen = 0
    }
  }

  private static func name(
    _ line: Span<UInt8>, _ index: inout Int, _ classes: KeyTable
  ) throws(NotJSON) -> ReportClass? {
    try line.word(&index, of: classes).flatMap { ReportClass(rawValue: $0) }
  }
}

extension JSONRecord {
  /// Reads the report behind `header`, to the end of the line.
  @inline(__always)
  mutating func readReport(
    _ line: Span<UInt8>, _ index: inout Int, _ header: ReportHeader, _ keys: inout KeyTable,
    _ names: inout RepeatedName
  ) throws(NotJSON) {
    removeAll()
    keys.prepare(for: Field.self)
    index = header.rest
    try readMembers(of: line, &index, &keys, &names, seen: header.seen, more: header.hasMore)
    line.skipSpace(&index)
    guard index >= line.count else { throw NotJSON() }
  }
}
