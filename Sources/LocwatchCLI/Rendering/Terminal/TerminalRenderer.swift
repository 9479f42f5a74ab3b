package import LocationCore

/// Text for a terminal: transitions as lines of their own, and the lines that are redrawn in place.
///
/// It moves no cursor and clears nothing; that is for the one who owns the terminal.
package struct TerminalRenderer: Sendable {
  /// As wide as the time of day and a space.
  private static let indent = 10

  private let style: TerminalStyle
  private let tellsRetries: Bool

  /// - Parameter tellsRetries: Whether transitions say when gpsd is tried again: they need not where
  ///   a line counts it down.
  package init(style: TerminalStyle, tellsRetries: Bool = true) {
    self.style = style
    self.tellsRetries = tellsRetries
  }

  /// Appends the transition: one line, or some where it is wider than `width`, those from the second
  /// on indented.
  package func transition(_ change: StateChange, width: Int, into output: inout TextBuffer) {
    output.append(clockOrDash: change.time ?? change.moment.wall)
    output.append(character: " ")
    output.append(change.state, inColor: style.usesColor)
    var column = Self.indent + change.state.rawValue.count
    for words in words(on: change) {
      let lines =
        words.displayWidth <= width - Self.indent
        ? [words] : words.wrapped(to: max(1, width - Self.indent))
      for line in lines {
        if column + 1 + line.displayWidth <= width {
          output.append(character: " ")
          column += 1
        } else {
          output.append(text: "\n" + "".padded(to: Self.indent))
          column = Self.indent
        }
        output.append(text: line)
        column += line.displayWidth
      }
    }
    output.append(character: "\n")
  }

  /// Which receiver it is, why it changed, and what was last.
  private func words(on change: StateChange) -> [String] {
    var words: [String] = []
    if let reason = change.reason, !reason.isEmpty {
      var text = TextBuffer()
      text.append(visible: reason)
      words.append(text.string)
    }
    if let lastFix = change.lastFix {
      var text = TextBuffer()
      text.append(text: "last fix ")
      if let time = lastFix.time {
        text.append(clockOrDash: time)
        text.append(character: " ")
      }
      text.append(lastFix.coordinate, style)
      words.append(text.string)
    }
    if tellsRetries, let retryIn = change.retryIn {
      var text = TextBuffer()
      text.append(text: "retry in ")
      text.append(retryIn.inSeconds, places: 1)
      text.append(text: " s")
      words.append(text.string)
    }
    words = words.dropLast().map { $0 + ";" } + words.suffix(1)
    guard let device = change.device, !device.isEmpty else { return words }
    var name = TextBuffer()
    name.append(visible: device)
    return [name.string] + words
  }

  /// A line of at most `width` columns for each satellite, those that are used first, below a header.
  package func table(of satellites: [Satellite], width: Int) -> [String] {
    var output = TextBuffer()
    output.append(tableOf: satellites)
    return output.string.split(separator: "\n")
      .map { String($0).cut(toDisplayWidth: width) }
  }

  /// Appends a line of at most `width` columns, without a line end.
  ///
  /// It has as many of its parts as there is room for, the most needed ones first: what is needed less
  /// does not stay where something else had to go.
  ///
  /// - Returns: How many columns it has.
  @discardableResult
  package func live(_ status: LiveStatus, width: Int, into output: inout TextBuffer) -> Int {
    var room = width
    var chosen: [LiveLinePart: String] = [:]
    var lacksPosition = false
    var path: String?
    for part in LiveLinePart.allCases.sorted(by: { $0.need < $1.need }) {
      guard let text = part.text(for: status, style: style) else { continue }
      if lacksPosition, !part.standsAlone { break }
      let columns = text.short.displayWidth + (chosen.isEmpty ? 0 : 2)
      guard columns <= room else {
        guard part == .position else { break }
        lacksPosition = true
        continue
      }
      room -= columns
      chosen[part] = text.short
      if part == .device { path = text.whole }
    }
    if let path, let name = chosen[.device], path.displayWidth - name.displayWidth <= room {
      room -= path.displayWidth - name.displayWidth
      chosen[.device] = path
    }
    guard !chosen.isEmpty else {
      let text = status.state.rawValue.cut(toDisplayWidth: width)
      output.append(text: text)
      return text.displayWidth
    }
    var separator = ""
    for part in LiveLinePart.allCases {
      guard let text = chosen[part] else { continue }
      output.append(text: separator)
      if part == .state {
        output.append(status.state, inColor: style.usesColor)
      } else {
        output.append(text: text)
      }
      separator = "  "
    }
    return width - room
  }
}

extension TextBuffer {
  /// Appends the time of day, `07:06:31Z`, which is enough on a terminal.
  fileprivate mutating func append(clockOrDash time: Timestamp?) {
    guard let time else { return append(character: "-") }
    var text = TextBuffer()
    text.append(milliseconds: time)
    append(text: String(text.string.dropFirst(11).prefix(8)) + "Z")
  }
}
