/// A short string in two machine words, so that names are compared and looked up without a loop.
struct JSONKey: Hashable, Sendable {
  /// The first eight bytes, the first of them in the highest place that is used.
  var head: UInt64
  /// The next eight.
  var tail: UInt64

  /// Any string that is empty, longer than sixteen bytes, or has a NUL inside: no name that gpsd
  /// uses. The bytes 0xFF that it is made of occur in no string.
  static let unknown = JSONKey(head: .max, tail: .max)

  @inline(__always)
  init(head: UInt64, tail: UInt64) {
    self.head = head
    self.tail = tail
  }

  init(_ bytes: some Collection<UInt8>) {
    guard 1...16 ~= bytes.count, !bytes.contains(0) else {
      self = .unknown
      return
    }
    self.init(
      head: bytes.prefix(8).reduce(0) { $0 &<< 8 | UInt64($1) },
      tail: bytes.dropFirst(8).reduce(0) { $0 &<< 8 | UInt64($1) })
  }
}

extension Span where Element == UInt8 {
  /// Reads a string as a key.
  @inline(__always)
  func word(_ index: inout Int) throws(NotJSON) -> JSONKey {
    let start = index
    try expect("\"", &index)
    var head: UInt64 = 0
    while index <= start + 8 {
      let character = byte(index)
      // Only what needs no second look: no quote, escape, control or byte beyond ASCII.
      guard (0x23..<0x80).contains(character), character != UInt8(ascii: "\\") else { break }
      head = head &<< 8 | UInt64(character)
      index += 1
    }
    if byte(index) == UInt8(ascii: "\""), head != 0 {
      index += 1
      return JSONKey(head: head, tail: 0)
    }
    index = start
    return try longWord(&index)
  }

  @inline(never)
  private func longWord(_ index: inout Int) throws(NotJSON) -> JSONKey {
    let text = try string(&index)
    return JSONKey(try unescaped(text))
  }
}
