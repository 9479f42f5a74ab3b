/// A manual page in the making, in man(7) macros.
struct Roff {
  private(set) var source = ""

  mutating func title(_ name: String, section: Int, date: String, release: String) {
    source += ".TH \(name.uppercased()) \(section) \(date) \"\(release)\"\n"
  }

  /// A line that is roff already.
  mutating func raw(_ line: String) { source += line + "\n" }

  mutating func section(_ title: String) { source += ".SH \(quoted(title))\n" }

  mutating func subsection(_ title: String) { source += ".SS \(quoted(title))\n" }

  /// Running text; options in it are set in bold.
  mutating func text(_ text: String) {
    source += Self.withBoldOptions(text) + "\n"
  }

  mutating func paragraph(_ text: String) {
    source += ".PP\n"
    self.text(text)
  }

  /// A tagged paragraph. The tag is roff already.
  mutating func item(_ tag: String, _ text: String) {
    source += ".TP\n\(tag)\n"
    self.text(text)
  }

  /// Lines as they are, set apart.
  mutating func example(_ lines: [String]) {
    source += ".PP\n.nf\n.RS 4\n"
    for line in lines { source += Self.escaped(line) + "\n" }
    source += ".RE\n.fi\n"
  }

  static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

  /// The text with what roff would take for itself escaped.
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

  private func quoted(_ title: String) -> String { title.contains(" ") ? "\"\(title)\"" : title }

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
