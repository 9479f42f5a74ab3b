/// Where the characters of a string are in a line, and whether any is written as an escape.
struct JSONText {
  var range: Range<Int>
  var isEscaped: Bool
}

extension Span where Element == UInt8 {
  /// Reads a string, its escapes and its encoding checked.
  func string(_ index: inout Int) throws(NotJSON) -> JSONText {
    try expect("\"", &index)
    let start = index
    var isEscaped = false
    var allBits: UInt8 = 0
    while true {
      let character = byte(index)
      if character == UInt8(ascii: "\"") { break }
      if character == UInt8(ascii: "\\") {
        isEscaped = true
        index += 1
      }
      guard byte(index) >= 0x20 else { throw NotJSON() }
      allBits |= character
      index += 1
    }
    let text = JSONText(range: start..<index, isEscaped: isEscaped)
    index += 1
    if allBits >= 0x80, !isUTF8(text.range) { throw NotJSON() }
    if isEscaped { _ = try unescaped(text) }
    return text
  }

  /// The bytes that a string stands for.
  func unescaped(_ text: JSONText) throws(NotJSON) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.range.count)
    var index = text.range.lowerBound
    while index < text.range.upperBound {
      let character = self[index]
      index += 1
      if character == UInt8(ascii: "\\") {
        bytes.append(contentsOf: String(try escape(&index)).utf8)
      } else {
        bytes.append(character)
      }
    }
    return bytes
  }

  /// The string as text, cut to at most `limit` bytes, between two characters.
  func text(_ text: JSONText, limit: Int) throws(NotJSON) -> String {
    let string =
      text.isEscaped
      ? String(decoding: try unescaped(text), as: UTF8.self)
      : try self.text(at: text.range)
    guard string.utf8.count > limit else { return string }
    return String(string[..<string.utf8.index(string.startIndex, offsetBy: limit)])
  }

  /// The bytes there as text.
  func text(at range: Range<Int>) throws(NotJSON) -> String {
    guard let text = try? UTF8Span(validating: extracting(range)) else { throw NotJSON() }
    return String(copying: text)
  }

  private func isUTF8(_ range: Range<Int>) -> Bool {
    (try? UTF8Span(validating: extracting(range))) != nil
  }

  /// Reads what follows a backslash.
  private func escape(_ index: inout Int) throws(NotJSON) -> Unicode.Scalar {
    let character = byte(index)
    index += 1
    switch character {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(character)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw NotJSON()
    }
    let unit = try hexadecimal(&index)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // Half of a character stands for nothing, and the other half has to follow the first.
    guard UTF16.isLeadSurrogate(unit) else { throw NotJSON() }
    try expect("\\", &index)
    try expect("u", &index)
    let trail = try hexadecimal(&index)
    guard UTF16.isTrailSurrogate(trail) else { throw NotJSON() }
    let planes = UInt32(unit & 0x3FF) << 10 | UInt32(trail & 0x3FF)
    guard let scalar = Unicode.Scalar(0x1_0000 + planes) else { throw NotJSON() }
    return scalar
  }

  private func hexadecimal(_ index: inout Int) throws(NotJSON) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(byte(index))).hexDigitValue else {
        throw NotJSON()
      }
      unit = unit &<< 4 | UInt16(digit)
      index += 1
    }
    return unit
  }
}
