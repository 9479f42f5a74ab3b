/// What a template says to write: words, and fields of the fix.
package struct Template: Equatable, Sendable {
  enum Part: Equatable, Sendable {
    case text(String)
    case field(FixField)
  }

  private(set) var parts: [Part] = []

  /// Whether latitude or longitude are among the fields.
  var showsCoordinates: Bool { parts.contains(.field(.lat)) || parts.contains(.field(.lon)) }

  /// Reads a template: `%name` and `%{name}` are fields, `%%` a percent sign, `\n` and `\t` a line
  /// end and a tab.
  ///
  /// A name without braces ends at the first character that is neither a letter nor a digit, so that
  /// a misspelt one is an error and not another field with letters behind it.
  init(_ source: String) throws(UsageError) {
    var text = ""
    var rest = source[...]
    while let character = rest.popFirst() {
      switch character {
      case "%":
        if rest.first == "%" {
          text.append(rest.removeFirst())
          continue
        }
        let field = try Self.takeField(from: &rest)
        if !text.isEmpty { parts.append(.text(text)) }
        text = ""
        parts.append(.field(field))
      case "\\":
        switch rest.first {
        case "n": text.append("\n")
        case "t": text.append("\t")
        case "\\": text.append("\\")
        default:
          text.append("\\")
          continue
        }
        rest.removeFirst()
      default: text.append(character)
      }
    }
    if !text.isEmpty { parts.append(.text(text)) }
  }

  /// `sats` is short for `satsUsed`.
  static let names: [(name: String, field: FixField)] =
    FixField.allCases.map { ($0.rawValue, $0) } + [("sats", .satsUsed)]

  /// What others call some of the fields, in lower case.
  private static let otherNames: [String: FixField] = [
    "latitude": .lat, "longitude": .lon, "altitude": .altMSL, "height": .altMSL, "course": .track,
    "heading": .track, "satellites": .satsUsed,
  ]

  /// Takes the name behind a percent sign.
  private static func takeField(from rest: inout Substring) throws(UsageError) -> FixField {
    guard rest.first == "{" else {
      let word = rest.prefix { $0.isLetter || $0.isNumber }
      guard !word.isEmpty else {
        throw UsageError("a % without a name in the template; %% writes one")
      }
      rest = rest[word.endIndex...]
      return try field(named: String(word), isBraced: false)
    }
    guard let end = rest.firstIndex(of: "}") else {
      throw UsageError("'%\(rest)' has no closing }")
    }
    let word = rest[..<end].dropFirst()
    rest = rest[end...].dropFirst()
    guard !word.isEmpty else { throw UsageError("a %{} without a name in the template") }
    return try field(named: String(word), isBraced: true)
  }

  private static func field(
    named word: String, isBraced: Bool
  ) throws(UsageError) -> FixField {
    if let known = names.first(where: { $0.name == word }) { return known.field }
    func form(_ name: String) -> String { isBraced ? "%{\(name)}" : "%\(name)" }
    var message = "'\(form(word))' is not a field"
    if let name = likelyName(for: word) {
      message += "; did you mean \(form(name))"
      // Letters may have been meant to follow it.
      if !isBraced, word.hasPrefix(name), otherNames[word.lowercased()] == nil {
        message += ", or %{\(name)}\(word.dropFirst(name.count))"
      }
      message += "?"
    }
    throw UsageError(message)
  }

  /// The field that was probably meant.
  private static func likelyName(for word: String) -> String? {
    let lowercased = word.lowercased()
    if let field = otherNames[lowercased] { return field.rawValue }
    let names = names.map(\.name)
    return names.first { $0.lowercased() == lowercased }
      ?? names.filter { word.hasPrefix($0) }.max { $0.count < $1.count }
      ?? nearestName(to: word, among: names)
  }
}
