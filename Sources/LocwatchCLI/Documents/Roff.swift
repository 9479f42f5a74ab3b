import LocationText

/// Builds a manual page of man(7) macros.
struct Roff {
  private(set) var source = ""

  /// Adds a line of roff.
  mutating func raw(_ line: String) { source += line + "\n" }

  /// Adds a tagged paragraph. The tag is roff.
  mutating func item(_ tag: String, _ text: String) {
    raw(".TP\n\(tag)")
    self.text(text)
  }

  /// Adds lines of text.
  mutating func text(_ text: String) { raw(Self.withBoldOptions(text)) }

  static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  /// Returns the text with roff's special characters escaped.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      case "`": result += "\\(ga"
      case "°": result += "\\(de"
      case ".": result += result.isEmpty ? "\\&." : "."
      default: result.append(character)
      }
    }
    return result
  }

  private static func withBoldOptions(_ text: String) -> String {
    let lines = text.wrapped(to: 60).map { line in
      line.split(separator: " ").map { word in
        guard word.hasPrefix("--"), word.count > 2 else { return escaped(String(word)) }
        let option = word.prefix { $0.isLetter || $0 == "-" }
        return bold(String(option)) + escaped(String(word.dropFirst(option.count)))
      }.joined(separator: " ")
    }
    return lines.joined(separator: "\n")
  }
}
