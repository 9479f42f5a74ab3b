/// A JSON text as it is: members in their order, even if two have the same name, and numbers to the
/// last digit.
package indirect enum JSONTree: Equatable {
  case null
  case bool(Bool)
  case number(DecimalNumber)
  case string(String)
  case list([JSONTree])
  case object([Member])

  package struct Member: Equatable {
    package var name: String
    package var value: JSONTree

    package init(_ name: String, _ value: JSONTree) {
      self.name = name
      self.value = value
    }
  }

  /// Reads a text by RFC 8259; `nil` if it is anything else.
  package init?(_ text: String) {
    var reader = Reader(rest: text.unicodeScalars[...])
    guard let tree = reader.value() else { return nil }
    reader.skipSpace()
    guard reader.rest.isEmpty else { return nil }
    self = tree
  }

  /// The member of an object; `nil` if it has none, and if this is no object.
  subscript(name: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }
}

/// The value of a decimal number of any length: its digits without zeros at the ends, and the power of
/// ten of the last one.
package struct DecimalNumber: Equatable {
  private var isNegative: Bool
  private var digits: Substring
  private var exponent: Int

  /// Reads a number of JSON; `nil` if the text is none.
  package init?(_ text: Substring) {
    var rest = text
    isNegative = rest.first == "-"
    if isNegative { rest.removeFirst() }
    func takeDigits() -> Substring {
      let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
      rest = rest[digits.endIndex...]
      return digits
    }
    let whole = takeDigits()
    guard !whole.isEmpty, whole == "0" || whole.first != "0" else { return nil }
    var fraction: Substring = ""
    if rest.first == "." {
      rest.removeFirst()
      fraction = takeDigits()
      guard !fraction.isEmpty else { return nil }
    }
    exponent = 0
    if rest.first == "e" || rest.first == "E" {
      rest.removeFirst()
      let isSmall = rest.first == "-"
      if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
      let power = takeDigits()
      // More than 18 digits mean no more than 18 nines do.
      guard !power.isEmpty, let value = Int(power.prefix(18)) else { return nil }
      exponent = isSmall ? -value : value
    }
    guard rest.isEmpty else { return nil }
    exponent -= fraction.count
    digits = Substring(whole + fraction).drop { $0 == "0" }
    while digits.last == "0" {
      digits.removeLast()
      exponent += 1
    }
    // Zero is zero, with any exponent.
    if digits.isEmpty { (exponent, isNegative) = (0, false) }
  }

  /// The nearest Double.
  var double: Double {
    digits.isEmpty ? 0 : Double("\(isNegative ? "-" : "")\(digits)e\(exponent)") ?? .nan
  }
}

private struct Reader {
  var rest: Substring.UnicodeScalarView

  mutating func skipSpace() {
    rest = rest.drop { [" ", "\t", "\r", "\n"].contains($0) }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    skipSpace()
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  mutating func value() -> JSONTree? {
    skipSpace()
    switch rest.first {
    case "{": return object()
    case "[": return list()
    case "\"": return string().map { .string($0) }
    default:
      let word = rest.prefix { !",]} \t\r\n".unicodeScalars.contains($0) }
      rest = rest[word.endIndex...]
      switch String(word) {
      case "null": return .null
      case "true": return .bool(true)
      case "false": return .bool(false)
      case let text: return DecimalNumber(text[...]).map { .number($0) }
      }
    }
  }

  private mutating func object() -> JSONTree? {
    guard take("{") else { return nil }
    var members: [JSONTree.Member] = []
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      guard let name = string(), take(":"), let value = value() else { return nil }
      members.append(JSONTree.Member(name, value))
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func list() -> JSONTree? {
    guard take("[") else { return nil }
    var elements: [JSONTree] = []
    if take("]") { return .list([]) }
    repeat {
      guard let value = value() else { return nil }
      elements.append(value)
    } while take(",")
    return take("]") ? .list(elements) : nil
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    var units: [UInt16] = []
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return String(decoding: units, as: UTF16.self)
      case "\\":
        guard let unit = escape() else { return nil }
        units.append(unit)
      case "\0"..."\u{1F}": return nil
      default: units += String(scalar).utf16
      }
    }
    return nil
  }

  private mutating func escape() -> UInt16? {
    switch rest.popFirst() {
    case "\"": return 0x22
    case "\\": return 0x5C
    case "/": return 0x2F
    case "b": return 8
    case "f": return 12
    case "n": return 10
    case "r": return 13
    case "t": return 9
    case "u":
      let digits = rest.prefix(4)
      rest = rest.dropFirst(4)
      return digits.count == 4 ? UInt16(String(digits), radix: 16) : nil
    default: return nil
    }
  }
}
