import GPSDLocation
import LocationCore
import LocationText
package import LocwatchSystem

/// Lays out a view on a screen of any size.
///
/// - A wide screen has the sky, the values and the scatter side by side, and the bars below them.
/// - A medium screen, such as 80 x 24, has the sky on the left and everything else on the right.
/// - A screen with fewer than 60 columns or 14 rows has no sky. It has the values, and the bars in the
///   remaining rows.
package struct ViewRenderer: Sendable {
  private static let minimumColumnsForSky = 60
  private static let minimumRowsForSky = 14
  /// The columns that the values need beside the sky.
  private static let factColumns = 36
  private static let factRows = 8
  /// The columns between the sky and the values, so that a satellite on the eastern horizon touches no value.
  private static let gutter = 1
  /// The maximum number of cells that are drawn. If a terminal claims to be larger, the rest stays blank,
  /// because its cells could take gigabytes.
  package static let maximumSize = (columns: 1000, rows: 300)

  let style: TerminalStyle

  package init(style: TerminalStyle) { self.style = style }

  /// Returns a canvas of the size of the screen, or of ``maximumSize`` if that is smaller.
  package func canvas(of content: ViewContent, columns: Int, rows: Int) -> Canvas {
    let (columns, rows) = (min(columns, Self.maximumSize.columns), min(rows, Self.maximumSize.rows))
    var canvas = Canvas(columns: columns, rows: rows)
    if columns >= Self.minimumColumnsForSky, rows >= Self.minimumRowsForSky {
      drawAll(content, on: &canvas)
    } else {
      drawNarrow(content, on: &canvas, in: canvas.area)
    }
    if content.showsKeys {
      KeyList(isReplay: content.playback != nil, showsUTF8: style.showsUTF8).draw(on: &canvas)
    }
    return canvas
  }

  private func drawAll(_ content: ViewContent, on canvas: inout Canvas) {
    var area = canvas.area
    drawHeader(content, on: &canvas, in: area.takeTop(1))
    if content.receivers.count > 1 { drawReceivers(content, on: &canvas, in: area.takeTop(1)) }
    drawFooter(content, on: &canvas, &area, keepsRow: true)
    if canvas.columns >= 120, canvas.rows >= 34 {
      drawWide(content, on: &canvas, in: area)
    } else {
      drawMedium(content, on: &canvas, in: area)
    }
  }

  private func drawWide(_ content: ViewContent, on canvas: inout Canvas, in area: Area) {
    var area = area
    _ = area.takeTop(1)
    bars(content).draw(on: &canvas, in: area.takeBottom(min(16, area.rows / 3)))
    _ = area.takeBottom(1)
    let sky = SkyChart.size(
      in: Area(
        column: 0, row: 0, columns: area.columns - Self.factColumns - 34, rows: area.rows))
    self.sky(content).draw(on: &canvas, in: area.takeLeft(sky.columns))
    _ = area.takeLeft(3)
    var facts = area.takeLeft(max(Self.factColumns, min(56, area.columns / 2)))
    _ = area.takeLeft(2)
    drawFacts(content, on: &canvas, in: facts.takeTop(Self.factRows))
    _ = facts.takeTop(1)
    drawChanges(content, on: &canvas, in: facts)
    area.columns = min(area.columns, 60)
    scatter(content).draw(on: &canvas, in: area)
  }

  private func drawMedium(_ content: ViewContent, on canvas: inout Canvas, in area: Area) {
    var area = area
    let sky = SkyChart.size(
      in: Area(
        column: 0, row: 0, columns: area.columns - Self.gutter - Self.factColumns, rows: area.rows))
    self.sky(content).draw(on: &canvas, in: area.takeLeft(sky.columns))
    _ = area.takeLeft(Self.gutter)
    drawFacts(content, on: &canvas, in: area.takeTop(Self.factRows))
    let rest = area.rows
    bars(content).draw(on: &canvas, in: area.takeTop(rest >= 12 ? rest - max(6, rest / 2) : rest))
    guard rest >= 12 else { return }
    let side = area.takeLeft(max(14, min(2 * (area.rows - 2), area.columns - 20)))
    scatter(content).draw(on: &canvas, in: side)
    _ = area.takeLeft(1)
    drawChanges(content, on: &canvas, in: area)
  }

  private func drawNarrow(_ content: ViewContent, on canvas: inout Canvas, in area: Area) {
    guard let status = content.status else { return }
    var area = area
    let facts = FactSheet(status: status, style: style, lateness: content.lateness)
    if area.rows > 3 { drawMode(content, on: &canvas, &area) }
    if content.receivers.count > 1, area.rows > 6 {
      drawReceivers(content, on: &canvas, in: area.takeTop(1))
    }
    drawState(facts, on: &canvas, in: area.takeTop(1))
    if area.rows > 2 { drawFooter(content, on: &canvas, &area, keepsRow: false) }
    facts.position.drawPosition(on: &canvas, in: &area)
    // Bars with fewer than four rows have no meaning.
    let room = area.rows >= 6 ? area.rows - 4 : area.rows
    let ranked = [
      facts.accuracy, facts.motion, facts.quality, facts.time, facts.height, facts.dilution,
    ]
    for fact in ranked.filter({ !$0.parts.isEmpty }).prefix(min(room, 5)) where area.rows > 0 {
      fact.draw(on: &canvas, in: area.takeTop(1))
    }
    bars(content).draw(on: &canvas, in: area)
  }
}

// MARK: - Parts

extension ViewRenderer {
  private func sky(_ content: ViewContent) -> SkyChart {
    SkyChart(satellites: content.satellites, showsUTF8: style.showsUTF8)
  }

  private func bars(_ content: ViewContent) -> SignalBars {
    SignalBars(satellites: content.satellites, showsUTF8: style.showsUTF8)
  }

  private func scatter(_ content: ViewContent) -> ScatterChart {
    ScatterChart(deviations: content.deviations, units: style.units, showsUTF8: style.showsUTF8)
  }

  private func drawHeader(_ content: ViewContent, on canvas: inout Canvas, in area: Area) {
    var column = area.column + 1
    let title = mode(of: content, isShort: false) ?? ["locwatch"]
    for (index, part) in title.enumerated() {
      column = canvas.put(part, column, area.row, index == 0 ? .bold : .plain) + 2
    }
    var (whole, short) = (TextBuffer(), TextBuffer())
    whole.append(visible: content.title)
    short.append(visible: content.shortTitle)
    let keys = "? keys  q quit"
    let others = content.receivers.count > 1 ? "Tab next receiver  " : ""
    // The key that quits is more important than the path of the receiver.
    let ends = [
      HeaderEnd(name: whole.string, keys: others + keys), HeaderEnd(name: whole.string, keys: keys),
      HeaderEnd(name: short.string, keys: keys), HeaderEnd(name: "", keys: keys),
      HeaderEnd(name: "", keys: "q quit"),
    ]
    guard let end = ends.first(where: { $0.fits(between: column, and: area.columns) }) else {
      canvas.put(short.string, column, area.row)
      return
    }
    canvas.put(end.name, column, area.row)
    canvas.put(end.keys, end.start(before: area.columns), area.row, .faint)
  }

  /// The part of the header after the mode: the name of the source, and keys at the right.
  private struct HeaderEnd {
    var name: String
    var keys: String

    func start(before end: Int) -> Int { end - keys.count - 1 }

    func fits(between column: Int, and end: Int) -> Bool {
      start(before: end) > column + (name.isEmpty ? -1 : 2 + name.displayWidth)
    }
  }

  /// Returns the parts about the time that is shown; `nil` if it is the present.
  private func mode(of content: ViewContent, isShort: Bool) -> [String]? {
    if let playback = content.playback {
      return PlaybackLine(status: playback).parts(isShort: isShort)
    }
    return content.isFrozen ? ["FROZEN"] : nil
  }

  /// Draws a line at the top of a narrow area that does not show the present.
  private func drawMode(_ content: ViewContent, on canvas: inout Canvas, _ area: inout Area) {
    guard let parts = mode(of: content, isShort: true) else { return }
    let row = area.takeTop(1)
    var column = row.column
    for (index, part) in parts.enumerated() where column + part.count <= row.columns {
      column = canvas.put(part, column, row.row, index == 0 ? .bold : .plain) + 1
    }
  }

  /// Draws a line with the receivers, as many as fit. The chosen one is marked, and always among them.
  private func drawReceivers(_ content: ViewContent, on canvas: inout Canvas, in area: Area) {
    let texts = content.receivers.enumerated().map { index, receiver in
      var name = TextBuffer()
      name.append(visible: receiver.label)
      return " \(index + 1) \(name.string) \(receiver.status.state.rawValue) "
    }
    let more = "..."
    let widths = texts.map { $0.displayWidth + 1 }
    let rest = widths.dropFirst(content.chosen + 1).reduce(0, +)
    var first = 0
    var width = widths.prefix(content.chosen + 1).reduce(min(rest, more.count + 1), +)
    while first < content.chosen, width > area.columns {
      width -= widths[first] - (first == 0 ? more.count + 1 : 0)
      first += 1
    }
    var column = area.column + 1
    if first > 0 { column = canvas.put(more, column, area.row, .faint) + 1 }
    for (index, receiver) in content.receivers.enumerated().dropFirst(first) {
      let text = texts[index]
      if column + text.displayWidth > area.columns, index > first {
        canvas.put(more, min(column, area.columns - more.count), area.row, .faint)
        return
      }
      var style = CellStyle(receiver.status.state)
      style.weight = index == content.chosen ? .bold : .normal
      style.isReversed = index == content.chosen
      column = canvas.put(text, column, area.row, style) + 1
    }
  }

  /// Draws the last message at the bottom, in as many lines as it needs, up to three.
  ///
  /// - Parameter keepsRow: Whether a row is left free without a message, so that nothing moves when a message
  ///   appears.
  private func drawFooter(
    _ content: ViewContent, on canvas: inout Canvas, _ area: inout Area, keepsRow: Bool
  ) {
    var text = TextBuffer()
    let playback = content.playback.map(PlaybackLine.init)
    if let notice = playback?.notice {
      text.append(visible: notice)
    } else if content.isOver, content.playback?.isSeeking != true {
      text.append(text: playback?.end ?? PlaybackLine.end)
    } else if let notice = content.notice {
      let lines = notice.split(separator: "\n", omittingEmptySubsequences: false)
      text.append(visible: lines.joined(separator: ". "), maximum: 512)
    }
    let width = area.columns - 2
    let lines = text.string.wrapped(to: width).prefix(area.rows >= 20 ? 3 : 1)
    var footer = area.takeBottom(max(keepsRow ? 1 : 0, lines.count))
    footer.column += 1
    footer.columns = width
    canvas.put(lines: lines, in: footer, .bold)
  }

  private func drawState(_ facts: FactSheet, on canvas: inout Canvas, in area: Area) {
    let (text, state) = (facts.state, facts.status.state)
    let column = canvas.put(
      state.rawValue, area.column, area.row, CellStyle(state), width: area.columns)
    let rest = String(text.dropFirst(state.rawValue.count))
    canvas.put(rest, column, area.row, width: area.columns - (column - area.column))
  }

  private func drawFacts(_ content: ViewContent, on canvas: inout Canvas, in area: Area) {
    guard let status = content.status else { return }
    var area = area
    let facts = FactSheet(status: status, style: style, lateness: content.lateness)
    drawState(facts, on: &canvas, in: area.takeTop(1))
    for fact in facts.facts where area.rows > 0 { fact.draw(on: &canvas, in: area.takeTop(1)) }
  }

  /// Draws the last transitions, with the latest one at the bottom.
  private func drawChanges(_ content: ViewContent, on canvas: inout Canvas, in area: Area) {
    guard area.rows >= 2, area.columns >= 12 else { return }
    var area = area
    let title = area.takeTop(1)
    canvas.put("Transitions", title.column, title.row, .faint, width: title.columns)
    var plain = style
    plain.usesColor = false
    let renderer = TerminalRenderer(style: plain, showsRetries: false)
    var text = TextBuffer()
    let isAlone = content.receivers.count < 2
    for change in content.changes.suffix(area.rows) {
      switch change.change {
      case .state(var state):
        // The values show it.
        state.lastFix = nil
        if state.subject != .link || change.source != nil {
          state.subject = .receiver(isAlone ? nil : change.subject(state.device))
        }
        renderer.transition(state, width: .max, into: &text)
      case .receiver(var event):
        event.device = isAlone ? nil : change.subject(event.device)
        renderer.transition(event, width: .max, into: &text)
      }
    }
    let lines = text.string.split(separator: "\n").flatMap { line in
      let parts = String(line).wrapped(to: area.columns - 2)
      return parts.prefix(1) + parts.dropFirst().map { "  " + $0 }
    }
    canvas.put(lines: lines.suffix(area.rows), in: area)
  }
}

extension ViewContent.Change {
  /// Returns the subject of the change. There is no room for a path, and a single receiver needs none.
  fileprivate func subject(_ device: String?) -> String? {
    let name = source == nil || !hasOneReceiver ? device?.shortName : nil
    let parts = [source, name].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}

extension FactSheet.Fact {
  /// Draws a position at the top of a narrow area. Its label is drawn only if it is a warning. The position
  /// takes two rows if it is too wide for one.
  fileprivate func drawPosition(on canvas: inout Canvas, in area: inout Area) {
    guard area.rows > 0 else { return }
    let value = parts.first ?? "-"
    let isWarning = labelStyle == .alarm
    if isWarning, label.count + 1 + value.displayWidth <= area.columns {
      return draw(on: &canvas, in: area.takeTop(1))
    }
    if isWarning {
      let row = area.takeTop(1)
      canvas.put(label, row.column, row.row, labelStyle, width: row.columns)
    }
    for line in value.wrapped(to: area.columns) where area.rows > 0 {
      let row = area.takeTop(1)
      canvas.put(line, row.column, row.row, style, width: row.columns)
    }
  }
}
