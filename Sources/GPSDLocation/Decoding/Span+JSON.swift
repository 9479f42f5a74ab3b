/// Reading JSON from bytes. Every reader starts at `index`, and leaves it behind what it read.
///
/// The index goes down as a parameter: a cursor that holds a span would need an experimental
/// feature.
extension Span where Element == UInt8 {
  /// Objects and lists in one another beyond this are refused: nothing may grow the stack.
  static var deepestNesting: Int { 16 }

  /// The byte there, 0 behind the end. JSON has no place for a 0, so that one comparison tells both
  /// the end and what else is not wanted.
  @inline(__always)
  func byte(_ index: Int) -> UInt8 {
    index < count ? self[index] : 0
  }

  @inline(__always)
  func skipSpace(_ index: inout Int) {
    while true {
      switch byte(index) {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): index += 1
      default: return
      }
    }
  }

  @inline(__always)
  func expect(_ character: Unicode.Scalar, _ index: inout Int) throws(NotJSON) {
    guard byte(index) == UInt8(ascii: character) else { throw NotJSON() }
    index += 1
  }

  /// Enters an object or a list: whether there is anything in it.
  @inline(__always)
  func open(
    _ opening: Unicode.Scalar, _ closing: Unicode.Scalar, _ index: inout Int
  ) throws(NotJSON) -> Bool {
    try expect(opening, &index)
    skipSpace(&index)
    guard byte(index) == UInt8(ascii: closing) else { return true }
    index += 1
    return false
  }

  /// Goes on behind an element: whether there is another.
  @inline(__always)
  func proceed(to closing: Unicode.Scalar, _ index: inout Int) throws(NotJSON) -> Bool {
    skipSpace(&index)
    let isOver = byte(index) == UInt8(ascii: closing)
    guard isOver || byte(index) == UInt8(ascii: ",") else { throw NotJSON() }
    index += 1
    if isOver { return false }
    skipSpace(&index)
    return true
  }

  /// Reads the name of a member and the colon behind it, and looks the name up.
  ///
  /// - Parameter previous: The member before it, or ``KeyTable/start``.
  /// - Returns: The place of the name in the table, `nil` where it is not in it.
  @inline(__always)
  func member(
    _ index: inout Int, of keys: inout KeyTable, after previous: UInt8
  ) throws(NotJSON) -> UInt8? {
    if let (member, end) = keys.expected(after: previous, in: self, at: index) {
      index = end
      skipSpace(&index)
      return member
    }
    let (key, end) = try key(at: index)
    index = end
    skipSpace(&index)
    try expect(":", &index)
    skipSpace(&index)
    guard let member = keys[key] else { return nil }
    keys.learn(member, after: previous)
    return member
  }

  /// Reads any string as a key.
  @inline(never)
  func key(at start: Int) throws(NotJSON) -> (key: JSONKey, end: Int) {
    var index = start
    let text = try string(&index)
    guard text.isEscaped else { return (JSONKey(extracting(text.range)), index) }
    let bytes = try unescaped(text)
    return (JSONKey(bytes.span), index)
  }

  /// Where the value ends that begins there.
  @inline(never)
  func endOfValue(_ start: Int, depth: Int) throws(NotJSON) -> Int {
    var index = start
    try skipValue(&index, depth: depth)
    return index
  }

  /// Reads over any value.
  ///
  /// - Parameter depth: How many objects and lists the value lies in.
  func skipValue(_ index: inout Int, depth: Int) throws(NotJSON) {
    switch byte(index) {
    case UInt8(ascii: "\""): _ = try string(&index)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number(&index)
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try boolean(&index)
    case UInt8(ascii: "n"): try expect(literal: "null", &index)
    case UInt8(ascii: "{"):
      guard depth < Self.deepestNesting else { throw NotJSON() }
      var more = try open("{", "}", &index)
      while more {
        _ = try string(&index)
        skipSpace(&index)
        try expect(":", &index)
        skipSpace(&index)
        try skipValue(&index, depth: depth + 1)
        more = try proceed(to: "}", &index)
      }
    case UInt8(ascii: "["):
      guard depth < Self.deepestNesting else { throw NotJSON() }
      var more = try open("[", "]", &index)
      while more {
        try skipValue(&index, depth: depth + 1)
        more = try proceed(to: "]", &index)
      }
    default: throw NotJSON()
    }
  }

  func boolean(_ index: inout Int) throws(NotJSON) -> Bool {
    guard byte(index) == UInt8(ascii: "t") else {
      try expect(literal: "false", &index)
      return false
    }
    try expect(literal: "true", &index)
    return true
  }

  @inline(__always)
  private func expect(literal: String, _ index: inout Int) throws(NotJSON) {
    for character in literal.unicodeScalars { try expect(character, &index) }
  }
}
