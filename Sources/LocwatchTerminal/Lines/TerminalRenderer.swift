package import LocationCore
import LocationFormats
package import LocationText
package import LocwatchSystem

/// Renders text for a terminal: transitions and live lines.
///
/// It neither moves the cursor nor clears lines; ``LiveLines`` does that.
package struct TerminalRenderer: Sendable {
  /// The width of the time of day and the space after it.
  private static let indent = 10

  private let style: TerminalStyle
  private let showsRetries: Bool

  /// - Parameter showsRetries: Whether transitions show the time until the next attempt. If not, a live line
  ///   counts it down.
  package init(style: TerminalStyle, showsRetries: Bool = true) {
    self.style = style
    self.showsRetries = showsRetries
  }

  /// Appends the transition, in several lines if it is wider than `width`. Lines after the first
  /// are indented.
  ///
  /// - Parameter source: The name of one of several sources; `nil` for the only one.
  package func transition(
    _ change: StateChange, of source: String? = nil, width: Int, into output: inout TextBuffer
  ) {
    output.append(clockOrDash: change.time ?? change.moment.wall)
    output.append(character: " ")
    output.append(change.state, inColor: style.usesColor)
    append(
      name(of: change.device, of: source) + details(of: change),
      after: Self.indent + change.state.rawValue.count, width: width, into: &output)
  }

  /// Appends another change, like a transition.
  package func transition(
    _ change: ReceiverChange, of source: String? = nil, width: Int, into output: inout TextBuffer
  ) {
    output.append(clockOrDash: change.time ?? change.moment.wall)
    output.append(character: " ")
    output.append(text: change.kind.title)
    var subject = TextBuffer()
    if let text = change.kind.subject { subject.append(visible: text) }
    var words = TextBuffer()
    words.append(visible: change.kind.words)
    let parts = [subject.string, words.string].filter { !$0.isEmpty }
    append(
      name(of: change.device, of: source) + parts,
      after: Self.indent + change.kind.title.count, width: width, into: &output)
  }

  /// Returns the names of the source and of the receiver, if there are any.
  private func name(of device: String?, of source: String?) -> [String] {
    let names = [source, device].compactMap(\.self).map { name in
      var text = TextBuffer()
      text.append(visible: name)
      return text.string
    }
    return names.isEmpty ? [] : [names.joined(separator: " ")]
  }

  /// Appends the parts and ends the line. A part that does not fit begins a new, indented line.
  private func append(
    _ parts: [String], after start: Int, width: Int, into output: inout TextBuffer
  ) {
    var column = start
    for part in parts {
      let lines =
        part.displayWidth <= width - Self.indent
        ? [part] : part.wrapped(to: max(1, width - Self.indent))
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

  /// Returns the reason, the last fix and the time until the next attempt.
  private func details(of change: StateChange) -> [String] {
    var parts: [String] = []
    if let reason = change.reasonInWords, !reason.isEmpty {
      var text = TextBuffer()
      text.append(visible: reason)
      parts.append(text.string)
    }
    if let lastFix = change.lastFix {
      var text = TextBuffer()
      text.append(text: "last fix ")
      if let time = lastFix.time {
        text.append(clockOrDash: time)
        text.append(character: " ")
      }
      text.append(lastFix.coordinate, style)
      parts.append(text.string)
    }
    if showsRetries, let retryIn = change.retryIn {
      var text = TextBuffer()
      text.append(text: "retry in ")
      text.append(retryIn.inSeconds, places: 1)
      text.append(text: " s")
      parts.append(text.string)
    }
    return parts.dropLast().map { $0 + ";" } + parts.suffix(1)
  }

  /// Returns a header and a line for each satellite, with used satellites first. Each line has at most
  /// `width` columns.
  package func table(of satellites: [Satellite], width: Int) -> [String] {
    var output = TextBuffer()
    output.append(tableOf: satellites)
    return output.string.split(separator: "\n")
      .map { String($0).cut(toDisplayWidth: width) }
  }

  /// Appends a line of at most `width` columns, without a line end.
  ///
  /// Parts are added by their rank until one does not fit.
  ///
  /// - Returns: The width of the line, in columns.
  @discardableResult
  package func live(_ status: LiveStatus, width: Int, into output: inout TextBuffer) -> Int {
    var room = width
    var chosen: [LiveLinePart: String] = [:]
    var lacksPosition = false
    var path: String?
    for part in LiveLinePart.allCases.sorted(by: { $0.need < $1.need }) {
      guard let text = part.text(for: status, style: style) else { continue }
      if lacksPosition, !part.standsAlone { break }
      let gap = chosen.isEmpty ? 0 : 2
      // The reason for a doubt is more important than the parts after it.
      let isWhole = part == .doubt && text.whole.displayWidth + gap <= room
      let chosenText = isWhole ? text.whole : text.short
      let columns = chosenText.displayWidth + gap
      guard columns <= room else {
        guard part == .position else { break }
        lacksPosition = true
        continue
      }
      room -= columns
      chosen[part] = chosenText
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

extension ReceiverChange.Kind {
  /// The title of the change, for people. Not everything that disturbs a receiver is a jammer.
  fileprivate var title: String {
    if case .jamming = self { "interference" } else { name }
  }
}

extension TextBuffer {
  /// Appends the time of day, such as `07:06:31Z`.
  fileprivate mutating func append(clockOrDash time: Timestamp?) {
    guard let time else { return append(character: "-") }
    var text = TextBuffer()
    text.append(milliseconds: time)
    append(text: String(text.string.dropFirst(11).prefix(8)) + "Z")
  }
}
