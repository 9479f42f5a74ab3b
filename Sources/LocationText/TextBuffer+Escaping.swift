import LocationCore

/// The maximum number of characters of a received text that are shown to people. Data formats contain
/// complete names, because two names may differ only at the end.
package let maximumTextShown = 128

extension TextBuffer {
  /// Appends a received text in a form that is safe to show. Characters that are not visible
  /// (controls, bidirectional marks, fillers, blanks other than a space) are written like `\u{1b}`,
  /// and the rest of a long text as `...`.
  package mutating func append(visible text: String, maximum: Int = maximumTextShown) {
    if text.utf8.count <= maximum, text.hasOnlyBytes(where: { (0x20...0x7e).contains($0) }) {
      return append(text: text)
    }
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if index == maximum { return append(text: "...") }
      if scalar.isVisible {
        append(contentsOf: String(scalar).utf8)
      } else {
        append(text: "\\u{\(String(scalar.value, radix: 16))}")
      }
    }
  }

  /// Appends the text as a JSON string in quotes. Characters that are not visible are escaped,
  /// because JSON may be shown on a terminal.
  package mutating func append(json text: String, maximum: Int = .max) {
    append(character: "\"")
    if text.utf8.count <= maximum, text.hasOnlyBytes(where: \.isPlainInJSON) {
      append(text: text)
    } else {
      for scalar in text.unicodeScalars.prefix(maximum) { append(jsonScalar: scalar) }
      if text.unicodeScalars.count > maximum { append(text: "...") }
    }
    append(character: "\"")
  }

  /// Appends a JSON object. Characters that are not visible are escaped, which does not change the parsed values.
  ///
  /// A text whose brackets and quotes are not those of an object is appended as a string, because it could end the
  /// record that contains it.
  package mutating func append(jsonObject text: String) {
    guard text.isEnclosedInBraces else { return append(json: text) }
    if text.hasOnlyBytes(where: { (0x20...0x7e).contains($0) }) { return append(text: text) }
    var isInString = false
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isInString, scalar != "\"", scalar != "\\" {
        append(jsonScalar: scalar)
      } else {
        append(character: scalar.isVisible ? scalar : " ")
      }
      if scalar == "\"", !isEscaped { isInString.toggle() }
      isEscaped = scalar == "\\" && !isEscaped
    }
  }

  private mutating func append(jsonScalar scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": append(text: "\\\"")
    case "\\": append(text: "\\\\")
    case "\n": append(text: "\\n")
    case "\r": append(text: "\\r")
    case "\t": append(text: "\\t")
    case _ where scalar.isVisible: append(contentsOf: String(scalar).utf8)
    default:
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        append(text: "\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      }
    }
  }

  /// Appends the text as XML character data.
  package mutating func append(xml text: String) {
    var visible = TextBuffer()
    visible.append(visible: text, maximum: .max)
    for byte in visible.bytes {
      switch byte {
      case UInt8(ascii: "&"): append(text: "&amp;")
      case UInt8(ascii: "<"): append(text: "&lt;")
      case UInt8(ascii: ">"): append(text: "&gt;")
      case UInt8(ascii: "\""): append(text: "&quot;")
      case UInt8(ascii: "'"): append(text: "&apos;")
      default: append(byte)
      }
    }
  }

  /// Appends the text as a CSV cell: in quotes if needed, and with an apostrophe before anything that a
  /// spreadsheet would read as a formula, even if the spreadsheet separates cells by semicolons.
  package mutating func append(csv text: String) {
    if text.hasOnlyBytes(where: \.isPlainInCSV) { return append(text: text) }
    var visible = TextBuffer()
    visible.append(visible: text, maximum: .max)
    let isQuoted = visible.bytes.contains { ",;\"".utf8.contains($0) }
    if isQuoted { append(character: "\"") }
    var startsCell = true
    for byte in visible.bytes {
      // A quotation mark may open the cell after a semicolon.
      if byte == UInt8(ascii: "\"") {
        append(text: "\"\"")
        continue
      }
      if startsCell, "=+-@".utf8.contains(byte) { append(character: "'") }
      append(byte)
      startsCell = byte == UInt8(ascii: ";")
    }
    if isQuoted { append(character: "\"") }
  }
}

extension UInt8 {
  /// Whether the byte is printable ASCII that needs no escape in a JSON string.
  fileprivate var isPlainInJSON: Bool {
    (0x20...0x7e).contains(self) && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
  }

  /// Whether the byte has no special meaning anywhere in a CSV cell: a digit, a letter, one of `./:_`, or a
  /// space.
  fileprivate var isPlainInCSV: Bool {
    switch self {
    case UInt8(ascii: "."), UInt8(ascii: "/")...UInt8(ascii: ":"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: " "):
      true
    default: false
    }
  }
}

extension String {
  // `Sequence.allSatisfy` costs 34 instructions for each byte of a string.
  fileprivate func hasOnlyBytes(where predicate: (UInt8) -> Bool) -> Bool {
    withBytes { bytes in
      for index in bytes.indices where !predicate(bytes[index]) { return false }
      return true
    }
  }
}

extension Unicode.Scalar {
  /// Whether the character is visible, or a space, and does not affect others.
  fileprivate var isVisible: Bool {
    switch value {
    // Latin, dashes and mathematical signs. Unicode's tables would take another 130 KB of memory.
    case 0x20...0x7e, 0xa1...0xac, 0xae...0x17f, 0x2010...0x2027, 0x2200...0x22ff: return true
    default: break
    }
    return switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    case .spaceSeparator: self == " "
    // Fillers, variation selectors and others that Unicode lets programs ignore; and Braille's blank.
    default: !properties.isDefaultIgnorableCodePoint && self != "\u{2800}"
    }
  }
}

extension String {
  /// Whether the text is one object as far as its brackets and quotes show, with only ASCII outside of strings.
  fileprivate var isEnclosedInBraces: Bool {
    guard utf8.first == UInt8(ascii: "{") else { return false }
    var expected: [UInt8] = []
    var isInString = false
    var isEscaped = false
    var isClosed = false
    for byte in utf8 {
      if isInString {
        if isEscaped || byte == UInt8(ascii: "\\") {
          isEscaped.toggle()
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      if isClosed { return false }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"): expected.append(UInt8(ascii: "}"))
      case UInt8(ascii: "["): expected.append(UInt8(ascii: "]"))
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard expected.popLast() == byte else { return false }
        isClosed = expected.isEmpty
      case UInt8(ascii: "\\"), 0x80...: return false
      default: break
      }
    }
    return isClosed
  }
}
