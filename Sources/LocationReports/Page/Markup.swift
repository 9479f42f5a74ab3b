import LocationText

/// HTML or SVG to which more can be appended.
struct Markup {
  var buffer = TextBuffer()

  /// Appends markup without a change.
  mutating func add(_ markup: String) { buffer.append(text: markup) }

  /// Appends a text with its markup characters and invisible characters escaped.
  mutating func add(text: String) { buffer.append(xml: text) }

  private static let units: Set<Substring> = [
    "mm", "cm", "m", "km", "ft", "mi", "nmi", "ns", "µs", "ms", "s", "min", "h", "km/h", "mph",
    "kn", "dBHz", "%",
  ]

  /// Appends a text of which no line ends between a number and its unit.
  mutating func add(prose text: String) {
    let bytes = text.utf8
    var start = bytes.startIndex
    var followsDigit = false
    for place in bytes.indices {
      if followsDigit, bytes[place] == UInt8(ascii: " ") {
        let next = bytes.index(after: place)
        if Self.units.contains(text[next...].prefix { !" ,.;:)".contains($0) }) {
          add(text: String(text[start..<place]))
          add("\u{a0}")
          start = next
        }
      }
      followsDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place])
    }
    add(text: start == bytes.startIndex ? text : String(text[start...]))
  }

  /// Appends a text that was received, with a no-break space between a number and its unit. The rest of a long
  /// text is left out.
  mutating func add(received text: String) {
    let isLong = text.unicodeScalars.count > maximumTextShown
    add(prose: isLong ? String(text.unicodeScalars.prefix(maximumTextShown)) + "..." : text)
  }

  mutating func add(_ other: Markup) { buffer.append(other.buffer) }

  /// Appends a coordinate of a drawing, to a tenth of a unit.
  mutating func add(_ coordinate: Double) {
    let tenths = Int((coordinate * 10).rounded())
    if tenths < 0 { buffer.append(character: "-") }
    buffer.append(integer: abs(tenths) / 10)
    guard tenths % 10 != 0 else { return }
    buffer.append(character: ".")
    buffer.append(integer: abs(tenths) % 10)
  }

  /// Appends a command of a path and its coordinates.
  mutating func add(_ command: String, _ x: Double, _ y: Double) {
    add(command)
    add(x)
    add(" ")
    add(y)
  }

  /// Appends `<name>text</name>`.
  mutating func add(element name: String, _ attributes: String = "", text: String) {
    add(attributes.isEmpty ? "<\(name)>" : "<\(name) \(attributes)>")
    add(prose: text)
    add("</\(name)>")
  }

  /// Appends a label of a drawing.
  ///
  /// - Parameter kind: The classes. `m` centres the text at the place, and `e` ends it there.
  mutating func add(label text: String, _ kind: String = "", x: Double, y: Double) {
    add("<text x=\"")
    add(x)
    add("\" y=\"")
    add(y)
    add(kind.isEmpty ? "\">" : "\" class=\"\(kind)\">")
    add(text: text)
    add("</text>")
  }

  /// Appends a path, unless it is empty.
  mutating func add(path kind: String, _ body: (inout Markup) -> Void) {
    let start = buffer.count
    add("<path class=\"\(kind)\" d=\"")
    let empty = buffer.count
    body(&self)
    guard buffer.count > empty else { return buffer.removeLast(empty - start) }
    add("\"/>")
  }
}
