package import LocationText
package import LocwatchSystem

/// What a doctor found, for people or as JSON.
package struct DoctorReport {
  /// The width of a line, in columns.
  private static let width = 79
  /// The maximum length of a check's text, in characters.
  private static let maximumText = 1024

  package let findings: [Finding]

  package init(findings: [Finding]) { self.findings = findings }

  /// The findings as text: a line for each with its mark, and below it what to do.
  package func text(_ style: TerminalStyle) -> TextBuffer {
    var buffer = TextBuffer()
    let column = (findings.map(\.name.count).max() ?? 0) + 1
    for finding in findings {
      let mark = Self.mark(of: finding)
      let symbol = style.showsUTF8 ? mark.symbol : mark.letters
      let margin = "".padded(to: symbol.count + 1 + column)
      if style.usesColor { buffer.append(text: mark.colour) }
      buffer.append(text: symbol)
      if style.usesColor { buffer.append(text: "\u{1b}[0m") }
      buffer.append(text: " \(finding.name.padded(to: column))")
      let room = Self.width - margin.count
      for (number, line) in visible(finding.seen).wrapped(to: room).enumerated() {
        buffer.append(text: (number == 0 ? "" : margin) + line + "\n")
      }
      for line in visible(finding.remedy.words.text).wrapped(to: room) {
        buffer.append(text: margin + line + "\n")
      }
      for command in finding.remedy.commands {
        buffer.append(text: "    \(visible(command.text))\n")
      }
    }
    return buffer
  }

  /// The findings as records of JSON, one a line.
  package var json: TextBuffer {
    var buffer = TextBuffer()
    for finding in findings {
      buffer.append(text: #"{"type":"check","name":"#)
      buffer.append(json: finding.name)
      buffer.append(text: #","ok":\#(finding.isWell.map { "\($0)" } ?? "null"),"seen":"#)
      buffer.append(json: finding.seen)
      if let device = finding.device {
        buffer.append(text: #","device":"#)
        buffer.append(json: device)
      }
      if !finding.remedy.words.isEmpty {
        buffer.append(text: #","remedy":"#)
        buffer.append(json: finding.remedy.words.text)
      }
      if !finding.remedy.commands.isEmpty {
        buffer.append(text: #","commands":["#)
        for (number, command) in finding.remedy.commands.enumerated() {
          if number > 0 { buffer.append(text: ",") }
          buffer.append(json: command.text)
        }
        buffer.append(text: "]")
      }
      buffer.append(text: "}\n")
    }
    return buffer
  }

  private func visible(_ text: String) -> String {
    var buffer = TextBuffer()
    buffer.append(visible: text, maximum: Self.maximumText)
    return buffer.string
  }

  /// Returns how the line of a finding begins: with UTF-8, without it, and in which colour.
  private static func mark(
    of finding: Finding
  ) -> (symbol: String, letters: String, colour: String) {
    switch finding.isWell {
    case true?: ("✓", "ok", "\u{1b}[32m")
    case false?: ("✗", "NO", "\u{1b}[31m")
    case nil: ("?", "??", "\u{1b}[33m")
    }
  }
}
