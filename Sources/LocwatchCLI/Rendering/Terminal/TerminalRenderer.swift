package import LocationCore

/// Text for a terminal: transitions as lines of their own, and the line that is redrawn in place.
///
/// It moves no cursor and clears nothing; that is for the one who owns the terminal.
package struct TerminalRenderer: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) { self.style = style }

  /// Appends the transition as a whole line, in the words of ``TextRenderer``.
  package func transition(_ change: StateChange, into output: inout TextBuffer) {
    output.append(stampOf: change)
    output.append(character: " ")
    output.append(change.state, inColor: style.usesColor)
    output.append(detailsOf: change, coordinates: style.coordinates)
    output.append(character: "\n")
  }

  /// A line of at most `width` columns for each satellite, those that are used first.
  package func table(of satellites: [Satellite], width: Int) -> [String] {
    var output = TextBuffer()
    output.append(tableOf: satellites)
    return output.string.split(separator: "\n")
      .map { String($0).cut(toDisplayWidth: width) }
  }

  /// Appends a line of at most `width` columns, without a line end.
  ///
  /// It has as many of its parts as there is room for, the most needed ones first.
  ///
  /// - Returns: How many columns it has.
  @discardableResult
  package func live(_ status: LiveStatus, width: Int, into output: inout TextBuffer) -> Int {
    var room = width
    var isFirst = true
    var chosen: Set<LiveLinePart> = []
    let texts = LiveLinePart.allCases.map { ($0, $0.text(for: status, style: style)) }
    for (part, text) in texts.sorted(by: { $0.0.need < $1.0.need }) {
      guard let text else { continue }
      let columns = text.displayWidth + (isFirst ? 0 : 2)
      guard columns <= room else { continue }
      room -= columns
      isFirst = false
      chosen.insert(part)
    }
    guard chosen.contains(.position) || chosen.contains(.state) else {
      // What is left would not tell what it belongs to.
      let text = status.state.rawValue.cut(toDisplayWidth: width)
      output.append(text: text)
      return text.displayWidth
    }
    var separator = ""
    for (part, text) in texts where chosen.contains(part) {
      output.append(text: separator)
      if part == .state {
        output.append(status.state, inColor: style.usesColor)
      } else {
        output.append(text: text ?? "")
      }
      separator = "  "
    }
    return width - room
  }
}
