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
    UInt(bitPattern: index) < UInt(bitPattern: count) ? self[index] : 0
  }

  @inline(__always)
  func skipSpace(_ index: inout Int) {
    // gpsd writes none within a report.
    if byte(index) <= UInt8(ascii: " ") { index = endOfSpace(index) }
  }

  @inline(never)
  private func endOfSpace(_ start: Int) -> Int {
    var index = start
    while true {
      switch byte(index) {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): index += 1
      default: return index
      }
    }
  }

  @inline(__always)
  func expect(_ character: Unicode.Scalar, _ index: inout Int) throws(NotJSON) {
    guard byte(index) == UInt8(ascii: character) else { throw NotJSON() }
    index &+= 1
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
    let character = byte(index)
    if character == UInt8(ascii: ","), byte(index &+ 1) > UInt8(ascii: " ") {
      index &+= 1
      return true
    }
    if character == UInt8(ascii: closing) {
      index &+= 1
      return false
    }
    let (hasMore, end) = try spacedProceed(to: closing, at: index)
    index = end
    return hasMore
  }

  /// The same where there is space before the comma, or behind it.
  @inline(never)
  private func spacedProceed(
    to closing: Unicode.Scalar, at start: Int
  ) throws(NotJSON) -> (hasMore: Bool, end: Int) {
    var index = endOfSpace(start)
    let hasMore = byte(index) == UInt8(ascii: ",")
    if !hasMore { try expect(closing, &index) }
    return (hasMore, hasMore ? endOfSpace(index + 1) : index)
  }

  /// Where the value ends that begins there, or behind a space.
  @inline(never)
  func endOfValue(_ start: Int, depth: Int) throws(NotJSON) -> Int {
    var index = start
    skipSpace(&index)
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
    case UInt8(ascii: "n"): try expect(literal: ("n", "u", "l", "l"), &index)
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
    let isTrue = byte(index) == UInt8(ascii: "t")
    if isTrue {
      try expect(literal: ("t", "r", "u", "e"), &index)
    } else {
      try expect(literal: ("f", "a", "l", "s"), &index)
      try expect("e", &index)
    }
    return isTrue
  }

  @inline(__always)
  private func expect(
    literal: (Unicode.Scalar, Unicode.Scalar, Unicode.Scalar, Unicode.Scalar), _ index: inout Int
  ) throws(NotJSON) {
    try expect(literal.0, &index)
    try expect(literal.1, &index)
    try expect(literal.2, &index)
    try expect(literal.3, &index)
  }
}
