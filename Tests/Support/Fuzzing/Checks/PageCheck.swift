/// Whether a page of a report is well-formed: all elements are closed in their order, all attributes
/// are quoted, references lead somewhere, and no number of a drawing is anything but a small number.
package struct PageCheck {
  /// No drawing is larger than this, in its own units. What is moved as a whole can be far outside: the
  /// mean of positions half around the world, in a figure of 10 cm.
  private static let largest = (coordinate: 20_000.0, movement: 1e12)

  private var rest: ArraySlice<UInt8>
  private var open: [String] = []
  private var identifiers: Set<String> = []
  private var references: Set<String> = []

  /// Returns what is wrong with a page; `nil` if nothing is.
  package static func complaint(about page: String) -> String? {
    var check = PageCheck(rest: Array(page.utf8)[...])
    return check.complaint()
  }

  private mutating func complaint() -> String? {
    while let byte = rest.first {
      let complaint = byte == UInt8(ascii: "<") ? complaintAboutTag() : complaintAboutText()
      if let complaint { return complaint }
    }
    if let name = open.last { return "<\(name)> is never closed" }
    let lost = references.subtracting(identifiers)
    return lost.min().map { "nothing has the identifier \($0)" }
  }

  private mutating func complaintAboutText() -> String? {
    let text = take { $0 != UInt8(ascii: "<") }
    if open.last == "style" { return nil }
    if let word = OddWords.first(in: text) { return "the text says \(word): \(text.suffix(80))" }
    for part in text.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
      guard let end = part.firstIndex(of: ";"), Self.entities.contains(String(part[..<end])) else {
        return "an ampersand stands alone: \(part.prefix(20))"
      }
    }
    return text.contains(">") ? "a > stands alone" : nil
  }

  private static let entities: Set<String> = ["lt", "gt", "amp", "quot", "apos", "#39", "#34"]

  private mutating func complaintAboutTag() -> String? {
    rest.removeFirst()
    if rest.first == UInt8(ascii: "!") {
      _ = take { $0 != UInt8(ascii: ">") }
      return close(with: ">")
    }
    let isEnd = rest.first == UInt8(ascii: "/")
    if isEnd { rest.removeFirst() }
    let name = takeName()
    guard !name.isEmpty else { return "a < stands alone" }
    if isEnd {
      guard open.popLast() == name else { return "</\(name)> closes something else" }
      return close(with: ">")
    }
    while rest.first == UInt8(ascii: " ") {
      rest.removeFirst()
      if let complaint = complaintAboutAttribute(of: name) { return complaint }
    }
    if rest.first == UInt8(ascii: "/") {
      rest.removeFirst()
    } else if name != "meta" {
      open.append(name)
    }
    return close(with: ">")
  }

  /// A map of a place, the only link that leads outside.
  private static var map: Regex<(Substring, Substring, Substring)> {
    #/https://www\.openstreetmap\.org/\?mlat=(-?\d+\.\d{6})&amp;mlon=(-?\d+\.\d{6})#map=16/\1/\2/#
  }

  private mutating func complaintAboutAttribute(of element: String) -> String? {
    let name = takeName()
    guard !name.isEmpty, close(with: "=") == nil, close(with: "\"") == nil else {
      return "an attribute of <\(element)> is not quoted"
    }
    let value = take { $0 != UInt8(ascii: "\"") }
    if value.contains("<") { return "a < is in an attribute of <\(element)>" }
    switch name {
    case "id":
      if !identifiers.insert(value).inserted { return "\(value) identifies two elements" }
    case "aria-labelledby": references.formUnion(value.split(separator: " ").map(String.init))
    case "href", "xlink:href":
      if value.wholeMatch(of: Self.map) != nil { break }
      guard value.hasPrefix("#") else { return "a link leads outside: \(value)" }
      references.insert(String(value.dropFirst()))
    case "d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "viewBox", "transform", "points",
      "width", "height":
      let largest = name == "transform" ? Self.largest.movement : Self.largest.coordinate
      if element != "meta", let complaint = Self.complaint(aboutNumbersIn: value, largest) {
        return "\(name) of <\(element)>: \(complaint)"
      }
    default: break
    }
    return close(with: "\"")
  }

  /// The numbers of a path or another attribute of a drawing.
  private static func complaint(aboutNumbersIn value: String, _ largest: Double) -> String? {
    if let word = OddWords.first(in: value) { return "\(word) in \(value.prefix(100))" }
    var number = ""
    func isSmall() -> Bool {
      number.isEmpty || Double(number).map { abs($0) <= largest } ?? false
    }
    for character in value.utf8 {
      switch character {
      case UInt8(ascii: "-"):
        guard isSmall() else { return "the number \(number)" }
        number = "-"
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
        number.unicodeScalars.append(Unicode.Scalar(character))
      default:
        guard isSmall() else { return "the number \(number)" }
        number = ""
      }
    }
    return isSmall() ? nil : "the number \(number)"
  }

  private mutating func take(while isWanted: (UInt8) -> Bool) -> String {
    let part = rest.prefix(while: isWanted)
    rest = rest[part.endIndex...]
    return String(decoding: part, as: UTF8.self)
  }

  private mutating func takeName() -> String {
    take { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: ":"):
        true
      default: false
      }
    }
  }

  private mutating func close(with character: Unicode.Scalar) -> String? {
    guard rest.popFirst() == UInt8(ascii: character) else { return "no \(character)" }
    return nil
  }
}
