import LocationCore

/// Methods that read JSON from bytes. Each starts at `index` and advances it past what it read.
///
/// The index is a parameter because a cursor that holds a span would need an experimental feature.
extension Span where Element == UInt8 {
  /// The maximum nesting depth of objects and lists, which limits the use of the stack.
  static var maximumDepth: Int { 16 }

  /// Returns the byte at an index, or 0 past the end. A 0 is never valid in JSON, so that one
  /// comparison covers both the end and any unexpected byte.
  @inlinable @inline(__always)
  package func byte(_ index: Int) -> UInt8 {
    UInt(bitPattern: index) < UInt(bitPattern: count) ? self[index] : 0
  }

  @inline(__always)
  func skipSpace(_ index: inout Int) {
    // gpsd writes no space within a report.
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
  func expect(_ character: Unicode.Scalar, _ index: inout Int) throws(MalformedReport) {
    guard byte(index) == UInt8(ascii: character) else { throw MalformedReport() }
    index &+= 1
  }

  /// Enters an object or a list, and returns whether it has any element.
  @inline(__always)
  func open(
    _ opening: Unicode.Scalar, _ closing: Unicode.Scalar, _ index: inout Int
  ) throws(MalformedReport) -> Bool {
    try expect(opening, &index)
    skipSpace(&index)
    guard byte(index) == UInt8(ascii: closing) else { return true }
    index += 1
    return false
  }

  /// Moves past the end of an element, and returns whether another follows.
  @inline(__always)
  func proceed(to closing: Unicode.Scalar, _ index: inout Int) throws(MalformedReport) -> Bool {
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

  /// Implements `proceed` for an element with space before or after the comma.
  @inline(never)
  private func spacedProceed(
    to closing: Unicode.Scalar, at start: Int
  ) throws(MalformedReport) -> (hasMore: Bool, end: Int) {
    var index = endOfSpace(start)
    let hasMore = byte(index) == UInt8(ascii: ",")
    if !hasMore { try expect(closing, &index) }
    return (hasMore, hasMore ? endOfSpace(index + 1) : index)
  }

  /// Returns the end of the value that begins at `start`, after optional space.
  @inline(never)
  func endOfValue(_ start: Int, depth: Int) throws(MalformedReport) -> Int {
    var index = start
    skipSpace(&index)
    try skipValue(&index, depth: depth)
    return index
  }

  /// Skips any value.
  ///
  /// - Parameter depth: The number of objects and lists that contain the value.
  func skipValue(_ index: inout Int, depth: Int) throws(MalformedReport) {
    switch byte(index) {
    case UInt8(ascii: "\""): _ = try string(&index)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number(&index)
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try boolean(&index)
    case UInt8(ascii: "n"): try expect(literal: ("n", "u", "l", "l"), &index)
    case UInt8(ascii: "{"):
      guard depth < Self.maximumDepth else { throw MalformedReport() }
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
      guard depth < Self.maximumDepth else { throw MalformedReport() }
      var more = try open("[", "]", &index)
      while more {
        try skipValue(&index, depth: depth + 1)
        more = try proceed(to: "]", &index)
      }
    default: throw MalformedReport()
    }
  }

  func boolean(_ index: inout Int) throws(MalformedReport) -> Bool {
    let isTrue = byte(index) == UInt8(ascii: "t")
    if isTrue {
      try expect(literal: ("t", "r", "u", "e"), &index)
    } else {
      try expect(literal: ("f", "a", "l", "s"), &index)
      try expect("e", &index)
    }
    return isTrue
  }

  /// Returns what `true` or `false` at an index says, and its end; `nil` for anything else, and near the end of the
  /// line.
  @inline(__always)
  func plainBoolean(at index: Int) -> (flag: Bool, end: Int)? {
    // The letters with the first in the lowest place.
    let (isTrue, isFalse): (UInt64, UInt64) = (0x6575_7274, 0x65_736c_6166)
    guard let text = eightBytes(at: index) else { return nil }
    if text & 0xFFFF_FFFF == isTrue { return (true, index &+ 4) }
    return text & 0xFF_FFFF_FFFF == isFalse ? (false, index &+ 5) : nil
  }

  @inline(__always)
  private func expect(
    literal: (Unicode.Scalar, Unicode.Scalar, Unicode.Scalar, Unicode.Scalar), _ index: inout Int
  ) throws(MalformedReport) {
    try expect(literal.0, &index)
    try expect(literal.1, &index)
    try expect(literal.2, &index)
    try expect(literal.3, &index)
  }
}

/// Methods that read the values of known members. A value of another type than expected is skipped
/// and counts as absent.
extension Span where Element == UInt8 {
  /// The length that strings other than device paths are truncated to, in bytes. gpsd writes no
  /// string as long.
  private static var maximumTextLength: Int { 1024 }

  /// Reads a number; `nil` even for one that is not measurable.
  func numberValue(_ index: inout Int, depth: Int = 1) throws(MalformedReport) -> Double? {
    try anyNumberValue(&index, depth: depth)?.ifMeasurable
  }

  /// Reads a number of any size; infinite if it is too large for a `Double`.
  @inline(__always)
  func anyNumberValue(_ index: inout Int, depth: Int) throws(MalformedReport) -> Double? {
    let (number, end) = try numberValue(at: index, depth: depth)
    index = end
    return number
  }

  // The index is passed and returned by value, so that the caller can keep it in a register.
  private func numberValue(at start: Int, depth: Int) throws(MalformedReport) -> (Double?, end: Int)
  {
    var index = start
    skipSpace(&index)
    let character = byte(index)
    guard character &- UInt8(ascii: "0") <= 9 || character == UInt8(ascii: "-") else {
      return (nil, try endOfValue(index, depth: depth))
    }
    let number = try number(&index)
    return (number, index)
  }

  /// Reads an integer; `nil` even for a number with a fraction.
  func integerValue(_ index: inout Int, depth: Int = 1) throws(MalformedReport) -> Int? {
    try numberValue(&index, depth: depth).flatMap { Int(exactly: $0) }
  }

  func booleanValue(_ index: inout Int, depth: Int = 1) throws(MalformedReport) -> Bool? {
    switch byte(index) {
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return try boolean(&index)
    default:
      try skipValue(&index, depth: depth)
      return nil
    }
  }

  func textValue(_ index: inout Int, depth: Int = 1) throws(MalformedReport) -> String? {
    guard byte(index) == UInt8(ascii: "\"") else {
      try skipValue(&index, depth: depth)
      return nil
    }
    return try text(try string(&index), limit: Self.maximumTextLength)
  }

  /// Reads an ISO 8601 time, or a number of seconds since 1970; `nil` for anything else.
  ///
  /// gpsd writes text only. Its libgps takes numbers as well (commit 34d8cd4c), and other servers write them.
  func timeValue(_ index: inout Int, depth: Int = 1) throws(MalformedReport) -> Timestamp? {
    guard byte(index) == UInt8(ascii: "\"") else { return try timeNumber(&index, depth: depth) }
    // As gpsd writes it, without a character that could be escaped.
    let end = index &+ 25
    if byte(end) == UInt8(ascii: "\""),
      let time = Timestamp(iso8601: extracting(index &+ 1..<end))
    {
      index = end &+ 1
      return time
    }
    let text = try string(&index)
    guard text.isEscaped else { return Timestamp(iso8601: extracting(text.range)) }
    let characters = try unescaped(text)
    return Timestamp(iso8601: characters.span)
  }
}

extension Span where Element == UInt8 {
  /// Reads a number of seconds since 1970, to the nanosecond; `nil` for anything else, and for a time before 1970 or
  /// after 2262.
  @inline(never)
  private func timeNumber(_ index: inout Int, depth: Int) throws(MalformedReport) -> Timestamp? {
    let start = index
    guard let number = try numberValue(&index, depth: depth), number >= 0,
      number < Double(Int64.max / 1_000_000_000)
    else { return nil }
    // A `Double` is only right to a quarter of a microsecond.
    let (seconds, point) = digits(from: start, upTo: 10)
    guard byte(point) == UInt8(ascii: ".") else {
      return point == index
        ? Timestamp(secondsSince1970: seconds) : Timestamp(secondsSince1970: number)
    }
    var (nanoseconds, end) = digits(from: point + 1, upTo: 9)
    for _ in end - point - 1..<9 { nanoseconds *= 10 }
    while byte(end) &- UInt8(ascii: "0") <= 9 { end += 1 }
    return end == index
      ? Timestamp(secondsSince1970: seconds, nanoseconds: Int32(nanoseconds))
      : Timestamp(secondsSince1970: number)
  }

  /// Reads at most `count` digits at an index, and returns where they end.
  private func digits(from start: Int, upTo count: Int) -> (value: Int64, end: Int) {
    var (value, index) = (Int64(0), start)
    while index - start < count, byte(index) &- UInt8(ascii: "0") <= 9 {
      value = value * 10 + Int64(byte(index) - UInt8(ascii: "0"))
      index += 1
    }
    return (value, index)
  }
}

extension Timestamp {
  /// A time in whole seconds and the nearest nanosecond of what remains. `number` is below 2^63 nanoseconds.
  fileprivate init(secondsSince1970 number: Double) {
    let seconds = number.rounded(.down)
    let nanoseconds = ((number - seconds) * 1e9).rounded()
    self.init(
      secondsSince1970: Int64(seconds), nanoseconds: Int32(min(nanoseconds, 999_999_999)))
  }
}

/// The error of a line that violates the rules of JSON or of ``GPSDDecoder``.
struct MalformedReport: Error {}
