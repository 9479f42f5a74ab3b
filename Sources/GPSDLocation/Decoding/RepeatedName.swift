/// Reads a name that nearly always is the one before, and then costs no string: the receiver's.
struct RepeatedName: Sendable {
  /// A longer one is refused: cut, it could be the name of another receiver.
  private static let longest = 255

  private var bytes: [UInt8] = []
  private var name = ""

  /// The name; `nil` where the value is no string.
  @inline(__always)
  mutating func read(
    _ line: Span<UInt8>, _ index: inout Int, depth: Int = 1
  ) throws(NotJSON) -> String? {
    guard line.byte(index) == UInt8(ascii: "\"") else {
      try line.skipValue(&index, depth: depth)
      return nil
    }
    if isRepeated(in: line, index + 1) {
      index += bytes.count + 2
      return name
    }
    return try readNew(line, &index)
  }

  private func isRepeated(in line: Span<UInt8>, _ start: Int) -> Bool {
    guard line.byte(start + bytes.count) == UInt8(ascii: "\"") else { return false }
    for offset in bytes.indices where line.byte(start + offset) != bytes[offset] { return false }
    return true
  }

  @inline(never)
  private mutating func readNew(
    _ line: Span<UInt8>, _ index: inout Int
  ) throws(NotJSON) -> String {
    let text = try line.string(&index)
    let new = try line.text(text, limit: .max)
    guard new.utf8.count <= Self.longest else { throw NotJSON() }
    // What is written with escapes is not there byte for byte the next time.
    if !text.isEscaped {
      name = new
      bytes = Array(new.utf8)
    }
    return new
  }
}
