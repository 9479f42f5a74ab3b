import Testing

@testable import LocationText

@Suite struct `Text that nobody sees` {
  /// Fillers, selectors and blanks, beside what turns text around or is no character.
  static let ranges: [ClosedRange<UInt32>] = [
    0x00...0x1F, 0x7F...0xA0, 0xAD...0xAD, 0x034F...0x034F, 0x061C...0x061C, 0x115F...0x1160,
    0x1680...0x1680, 0x17B4...0x17B5, 0x180B...0x180F, 0x2000...0x200F, 0x2028...0x202F,
    0x205F...0x206F, 0x2800...0x2800, 0x3000...0x3000, 0x3164...0x3164, 0xE000...0xE001,
    0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFFB, 0x1D173...0x1D17A,
    0xE0000...0xE0FFF,
  ]

  @Test(arguments: ranges)
  func `59: is escaped in every format`(range: ClosedRange<UInt32>) {
    for scalar in range.compactMap(Unicode.Scalar.init) {
      let name = "/dev/a\(scalar)b"
      var (visible, json, xml, csv) = (TextBuffer(), TextBuffer(), TextBuffer(), TextBuffer())
      visible.append(visible: name)
      json.append(json: name)
      xml.append(xml: name)
      csv.append(csv: name)
      let escaped = "/dev/a\\u{\(String(scalar.value, radix: 16))}b"
      #expect(visible.string == escaped)
      #expect(xml.string == escaped)
      #expect(csv.string == escaped)
      #expect(json.bytes.allSatisfy { (0x20...0x7E).contains($0) })
      #expect(json.string.hasPrefix("\"/dev/a\\") && json.string.hasSuffix("b\""))
    }
  }

  @Test func `59: no character below U+3000 is taken for what it is not`() {
    for scalar in (0x80..<0x3000).compactMap(Unicode.Scalar.init) {
      var visible = TextBuffer()
      visible.append(visible: "\(scalar)")
      let properties = scalar.properties
      let isInvisible =
        switch properties.generalCategory {
        case .control, .format, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
          .spaceSeparator:
          true
        default: properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
        }
      let isEscaped = visible.string.hasPrefix("\\u{")
      #expect(isEscaped == isInvisible, "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test(arguments: ["größe", "日本", "한", "\u{1F6F0}", "e\u{301}", "a b", "क्ष", "⠁"])
  func `59: is not what somebody sees`(name: String) {
    var (visible, json) = (TextBuffer(), TextBuffer())
    visible.append(visible: name)
    json.append(json: name)
    #expect(visible.string.unicodeScalars.elementsEqual(name.unicodeScalars))
    #expect(json.string.unicodeScalars.elementsEqual("\"\(name)\"".unicodeScalars))
  }
}
