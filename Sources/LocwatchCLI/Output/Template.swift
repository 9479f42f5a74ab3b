import LocationCore
import LocationFormats
import LocwatchSystem

/// A template of text and fields.
package struct Template: Equatable, Sendable {
  enum Part: Equatable, Sendable {
    case text(String)
    case field(FixField)
    /// The name of the source.
    case source
  }

  private(set) var parts: [Part] = []

  func names(_ field: FixField) -> Bool { parts.contains(.field(field)) }

  /// Parses a template: `%name` and `%{name}` are fields, `%%` is a percent sign, `\n` and `\t` are
  /// a line end and a tab.
  ///
  /// A name without braces ends at the first character that is neither a letter nor a digit. A misspelt name
  /// is therefore an error, and not a shorter name followed by letters. A unit belongs to the name of a field
  /// that has units: `%speed:kn`.
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
        let part = try Self.takePart(from: &rest)
        if !text.isEmpty { parts.append(.text(text)) }
        text = ""
        parts.append(part)
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
  static let names: [(name: String, part: Part)] =
    FixField.allCases.map { ($0.name, .field($0)) }
    + [("sats", .field(.quantity(.satsUsed))), ("source", .source)]

  /// Other common names of fields, in lower case.
  private static let otherNames: [String: FixField] = [
    "latitude": .lat, "longitude": .lon, "altitude": .quantity(.altMSL),
    "height": .quantity(.altMSL), "course": .quantity(.track),
    "satellites": .quantity(.satsUsed),
  ]

  /// Parses the name after a percent sign.
  private static func takePart(from rest: inout Substring) throws(UsageError) -> Part {
    guard rest.first == "{" else {
      let word = bareName(in: rest)
      guard !word.isEmpty else {
        throw UsageError("no field name after a % in the template; %% is a percent sign")
      }
      rest = rest[word.endIndex...]
      return try part(named: String(word), isBraced: false)
    }
    guard let end = rest.firstIndex(of: "}") else {
      throw UsageError("'%\(rest)' has no closing }")
    }
    let word = rest[..<end].dropFirst()
    rest = rest[end...].dropFirst()
    guard !word.isEmpty else { throw UsageError("no field name in %{}") }
    return try part(named: String(word), isBraced: true)
  }

  /// Returns the name at the beginning of the text, with its unit if it has any.
  private static func bareName(in text: Substring) -> Substring {
    func word(in text: Substring) -> Substring { text.prefix { $0.isLetter || $0.isNumber } }
    let name = word(in: text)
    guard text[name.endIndex...].first == ":",
      names.contains(where: { $0.name.hasPrefix("\(name):") })
    else { return name }
    let unit = word(in: text[name.endIndex...].dropFirst())
    return unit.isEmpty ? name : text[..<unit.endIndex]
  }

  private static func part(
    named word: String, isBraced: Bool
  ) throws(UsageError) -> Part {
    if let known = names.first(where: { $0.name == word }) { return known.part }
    func form(_ name: String) -> String { isBraced ? "%{\(name)}" : "%\(name)" }
    var message = "'\(form(word))' is not a field"
    if let name = likelyName(for: word) {
      message += "; did you mean \(form(name))"
      // Perhaps the field was meant to be followed by letters.
      if !isBraced, word.hasPrefix(name), otherNames[word.lowercased()] == nil {
        message += ", or %{\(name)}\(word.dropFirst(name.count))"
      }
      message += "?"
    }
    throw UsageError(message)
  }

  /// Returns the field that was probably meant.
  private static func likelyName(for word: String) -> String? {
    let lowercased = word.lowercased()
    if let field = otherNames[lowercased] { return field.name }
    let names = names.map(\.name)
    return names.first { $0.lowercased() == lowercased }
      ?? names.filter { word.hasPrefix($0) }.max { $0.count < $1.count }
      ?? nearestName(to: word, among: names)
  }
}
