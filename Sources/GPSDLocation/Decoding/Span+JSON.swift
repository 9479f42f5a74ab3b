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

  /// Reads a member's name and the colon behind it.
  @inline(__always)
  func key(_ index: inout Int) throws(NotJSON) -> JSONKey {
    let key = try word(&index)
    skipSpace(&index)
    try expect(":", &index)
    skipSpace(&index)
    return key
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
        _ = try key(&index)
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
    let isTrue = byte(index) == UInt8(ascii: "t")
    try expect(literal: isTrue ? "true" : "false", &index)
    return isTrue
  }

  private func expect(literal: String, _ index: inout Int) throws(NotJSON) {
    for expected in literal.utf8 {
      guard byte(index) == expected else { throw NotJSON() }
      index += 1
    }
  }
}
