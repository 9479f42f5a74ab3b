internal import LocationCore

/// The values of members that we know. A value of another type than the one that is due is read
/// over and counts as absent.
extension Span where Element == UInt8 {
  /// Strings are cut here, but for device paths; nothing that gpsd writes is so long.
  private static var longestText: Int { 1024 }

  /// A number; `nil` also where it is too large for a `Double`.
  @inline(__always)
  func numberValue(_ index: inout Int, depth: Int = 1) throws(NotJSON) -> Double? {
    let (number, end) = try numberValue(at: index, depth: depth)
    index = end
    return number
  }

  // The index goes in and out by value, so that the caller can keep it in a register.
  private func numberValue(at start: Int, depth: Int) throws(NotJSON) -> (Double?, end: Int) {
    var index = start
    skipSpace(&index)
    let character = byte(index)
    guard character &- UInt8(ascii: "0") <= 9 || character == UInt8(ascii: "-") else {
      return (nil, try endOfValue(index, depth: depth))
    }
    let number = try number(&index)
    return (number, index)
  }

  /// A number without a fraction.
  @inline(__always)
  func integerValue(_ index: inout Int, depth: Int = 1) throws(NotJSON) -> Int? {
    if let (integer, end) = shortInteger(at: index) {
      index = end
      return integer
    }
    return try numberValue(&index, depth: depth).flatMap { Int(exactly: $0) }
  }

  func booleanValue(_ index: inout Int, depth: Int = 1) throws(NotJSON) -> Bool? {
    switch byte(index) {
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return try boolean(&index)
    default:
      try skipValue(&index, depth: depth)
      return nil
    }
  }

  func textValue(_ index: inout Int, depth: Int = 1) throws(NotJSON) -> String? {
    guard byte(index) == UInt8(ascii: "\"") else {
      try skipValue(&index, depth: depth)
      return nil
    }
    return try text(try string(&index), limit: Self.longestText)
  }

  /// A time as gpsd writes it; `nil` also where it is none.
  func timeValue(_ index: inout Int, depth: Int = 1) throws(NotJSON) -> Timestamp? {
    guard byte(index) == UInt8(ascii: "\"") else {
      try skipValue(&index, depth: depth)
      return nil
    }
    let text = try string(&index)
    guard text.isEscaped else { return Timestamp(iso8601: extracting(text.range)) }
    let characters = try unescaped(text)
    return Timestamp(iso8601: characters.span)
  }
}
