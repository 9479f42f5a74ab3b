@testable import LocwatchCLI

/// A manual page, as tests read it.
struct ManualText {
  let lines: [String]

  init(_ page: GeneratedFile) {
    lines = page.text(version: "1.2.3").split(separator: "\n").map(String.init)
  }

  /// The lines of a section, without its heading.
  func section(_ title: String) -> [String] {
    let heading = title.contains(" ") ? ".SH \"\(title)\"" : ".SH \(title)"
    return Array(
      lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix(".SH ") })
  }

  /// The headings and the tags of the paragraphs of a section, as roff.
  func outline(of section: String) -> [String] {
    let lines = self.section(section)
    return zip([""] + lines, lines).filter { $0.0 == ".TP" || $0.1.hasPrefix(".SS ") }.map(\.1)
  }

  /// The preformatted blocks of a section, as they are typed.
  func blocks(of section: String) -> [String] {
    var blocks: [[String]] = []
    var isInside = false
    for line in self.section(section) {
      switch line {
      case ".nf":
        isInside = true
        blocks.append([])
      case ".fi": isInside = false
      case ".RS 4", ".RE": break
      default: if isInside { blocks[blocks.count - 1].append(Self.typed(line)) }
      }
    }
    return blocks.map { $0.joined(separator: "\n") }
  }

  /// The command lines of the examples.
  static let examples = ManualText(.manual).outline(of: "EXAMPLES").map {
    typed(String($0.dropFirst(3).dropLast(3)))
  }

  /// The text without roff's escapes.
  private static func typed(_ roff: String) -> String {
    let escapes = [
      (#"\&"#, ""), (#"\-"#, "-"), (#"\(aq"#, "'"), (#"\(dq"#, "\""), (#"\(ti"#, "~"),
      (#"\(ha"#, "^"), (#"\(ga"#, "`"), (#"\e"#, #"\"#),
    ]
    return escapes.reduce(roff) { $0.replacing($1.0, with: $1.1) }
  }
}
