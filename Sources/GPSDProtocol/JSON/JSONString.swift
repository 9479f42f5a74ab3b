/// The range of a string's characters in a line, and whether it contains an escape.
struct JSONText {
  var range: Range<Int>
  var isEscaped: Bool
}

extension Span where Element == UInt8 {
  /// Reads a string, and validates its escapes and encoding.
  func string(_ index: inout Int) throws(MalformedReport) -> JSONText {
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
      guard byte(index) >= 0x20 else { throw MalformedReport() }
      allBits |= character
      index += 1
    }
    let text = JSONText(range: start..<index, isEscaped: isEscaped)
    index += 1
    if allBits >= 0x80 { _ = try self.text(at: text.range) }
    if isEscaped { _ = try unescaped(text) }
    return text
  }

  /// Returns the bytes of a string, with escapes replaced.
  func unescaped(_ text: JSONText) throws(MalformedReport) -> ContiguousArray<UInt8> {
    var bytes: ContiguousArray<UInt8> = []
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

  /// Reads a string, and goes past it; `nil` if there is none.
  package func quotedText(_ index: inout Int) -> String? {
    do throws(MalformedReport) { return try text(string(&index), limit: .max) } catch { return nil }
  }

  /// Returns a string without the user info of URLs, truncated to at most `limit` bytes at the end of a character.
  func text(_ text: JSONText, limit: Int) throws(MalformedReport) -> String {
    let string: String
    if extracting(text.range).mayContainURL {
      // As in a line, so that a recording has as many asterisks.
      let hidden = text.range.map { self[$0] }[...].withoutUserInfo
      let text = JSONText(range: 0..<hidden.count, isEscaped: text.isEscaped)
      string = try hidden.span.decoded(text)
    } else {
      string = try decoded(text)
    }
    guard string.utf8.count > limit else { return string }
    return String(string[..<string.utf8.index(string.startIndex, offsetBy: limit)])
  }

  private func decoded(_ text: JSONText) throws(MalformedReport) -> String {
    text.isEscaped
      ? String(decoding: try unescaped(text), as: UTF8.self) : try self.text(at: text.range)
  }

  /// Returns the bytes in a range as text.
  func text(at range: Range<Int>) throws(MalformedReport) -> String {
    let text = unsafe extracting(range).withUnsafeBufferPointer { bytes in
      unsafe String(validating: bytes, as: UTF8.self)
    }
    guard let text else { throw MalformedReport() }
    return text
  }

  /// Reads an escape, after its backslash.
  private func escape(_ index: inout Int) throws(MalformedReport) -> Unicode.Scalar {
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
    default: throw MalformedReport()
    }
    let unit = try hexadecimal(&index)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // A surrogate is valid only as part of a pair.
    guard UTF16.isLeadSurrogate(unit) else { throw MalformedReport() }
    try expect("\\", &index)
    try expect("u", &index)
    let trail = try hexadecimal(&index)
    guard UTF16.isTrailSurrogate(trail) else { throw MalformedReport() }
    let planes = UInt32(unit & 0x3FF) << 10 | UInt32(trail & 0x3FF)
    guard let scalar = Unicode.Scalar(0x1_0000 + planes) else { throw MalformedReport() }
    return scalar
  }

  private func hexadecimal(_ index: inout Int) throws(MalformedReport) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(byte(index))).hexDigitValue else {
        throw MalformedReport()
      }
      unit = unit &<< 4 | UInt16(digit)
      index += 1
    }
    return unit
  }
}
