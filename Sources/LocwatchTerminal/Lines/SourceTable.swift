package import LocationCore
import LocationFormats
import LocationText
package import LocwatchSystem

/// Shows the sources on a terminal. Transitions scroll. Below them, a table is redrawn in place: each receiver
/// has a row, and the worst states come first.
package struct SourceTable: Presenter {
  /// The shortest time between two redraws. Nobody reads more than a few per second.
  private static let minimumRedrawInterval = Duration.milliseconds(250)

  private struct Source {
    let name: String
    var board = StatusBoard()
    /// How often each receiver lost its fix.
    var outages = ReceiverTable<Int>()
    /// The advice for the source; `nil` if there is none.
    var hint: String?

    mutating func record(_ update: LocationUpdate, at moment: Moment) {
      let fixed: [String] = if case .state = update { board.receiversWithFix } else { [] }
      board.record(update, at: moment)
      switch update {
      case .state(let change):
        if change.state == .searching || change.state.hasFix { hint = nil }
        let rest = board.receiversWithFix
        for path in fixed where !rest.contains(path) { outages[path] = (outages[path] ?? 0) + 1 }
      case .change, .fix, .retry, .event: break
      }
    }
  }

  private let style: TerminalStyle
  private let renderer: TerminalRenderer
  private let events: EventChoice
  private let tick: Duration
  private let lines: LiveLines
  private var sources: [Source] = []
  private var isChanged = false
  private var latest: Moment?

  package init(on lines: LiveLines, style: TerminalStyle, _ plan: LinesPlan) {
    self.lines = lines
    self.style = style
    renderer = TerminalRenderer(style: style, showsRetries: plan.events == .transitionsOnly)
    events = plan.events
    tick = plan.tick
  }

  package var status: OutputStatus {
    let isChanged = isChanged || lines.isCleared
    return OutputStatus(
      hasPending: isChanged || lines.hasPending, blocked: lines.blockedOutput,
      // Ages and waits for retries change between updates.
      nextTick: lines.drawn?.advanced(by: isChanged ? Self.minimumRedrawInterval : tick))
  }

  package mutating func add(_ style: OutputStyle, as source: Int) {
    let new = Source(name: style.records.source ?? "")
    if source < sources.count { sources[source] = new } else { sources.append(new) }
    isChanged = true
  }

  package var unwrittenRecords: Int { lines.dropCount }

  package mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
    sources[source].record(update, at: moment)
    isChanged = true
    latest = moment
    if events != .fixesOnly { lines.queue(update, of: sources[source].name, by: renderer) }
  }

  package mutating func advise(_ advice: Message, of source: Int) {
    // The row shows what is missing. The advice follows on separate lines.
    let lines = advice.lines.dropFirst()
    guard !lines.isEmpty else { return }
    sources[source].hint = lines.joined(separator: "\n")
    isChanged = true
  }

  package mutating func flush(at now: Moment) throws(OutputError) {
    draw(at: now)
    try lines.flush()
  }

  package mutating func finish(waitsForReader: Bool) throws(OutputError) {
    if isChanged || lines.isCleared, let latest { draw(at: latest, isLast: true) }
    try lines.finish(waitsForReader: waitsForReader)
  }

  private mutating func draw(at now: Moment, isLast: Bool = false) {
    guard isLast || !lines.isTooEarly(at: now, every: Self.minimumRedrawInterval) else { return }
    lines.scroll()
    let hasTable = events != .transitionsOnly
    guard !hasTable || lines.mayDraw(at: now) else { return }
    isChanged = false
    guard hasTable else { return }
    lines.beginDrawing(at: now)
    let rows = rows(at: now)
    guard !rows.isEmpty else { return }
    for line in Self.lines(of: rows, lines.size(), style) {
      lines.append { text in
        text.append(text: line.text)
        return line.width
      }
    }
  }

  func rows(at now: Moment) -> [SourceRow] {
    sources.flatMap { source in
      source.board.lines(at: now).map { line in
        var row = SourceRow(name: source.name, status: line.status)
        if !line.status.state.hasFix { row.hint = source.hint }
        if let path = line.path {
          row.outages = source.outages[path] ?? 0
          row.strength = source.board.satellites(of: path)?.meanStrength(ofStrongest: 4)
        } else {
          row.outages = source.outages.values.reduce(0, +)
        }
        return row
      }
    }
  }
}

/// A receiver in the table, or the link of a source without one.
struct SourceRow: Equatable {
  let name: String
  let status: LiveStatus
  var outages = 0
  /// The mean of the four strongest signals, in dBHz.
  var strength: Double?
  /// The advice for the source; `nil` if there is none.
  var hint: String?
}

extension SourceTable {
  struct Line: Equatable {
    var text: String
    var width: Int
  }

  /// Returns the lines of the table: as many rows as fit, with the worst states first, and the number of rows
  /// that are left out.
  static func lines(
    of rows: [SourceRow], _ size: (columns: Int, rows: Int), _ style: TerminalStyle
  ) -> [Line] {
    let rows = rows.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }.map(\.element)
    let width = max(1, size.columns - 1)
    // The header needs a line, and at least one row follows it. The first line must not scroll away.
    var room = max(1, size.rows - 2)
    var hint = hintLines(for: rows, width: width)
    if room - hint.count < min(rows.count, rowsBeforeHint) { hint = [] }
    room -= hint.count
    let shown = rows.count <= room ? rows.count : max(1, room - 1)
    let grid = Grid(of: rows.prefix(shown), fitting: width, style)
    var lines = [grid.line(of: \.rawValue, width: width)]
    for row in rows.prefix(shown) {
      lines.append(grid.line(of: row, width: width, style))
    }
    if shown < rows.count {
      let rest = rows.dropFirst(shown)
      let text = "and \(rest.count) more, \(rest.count { $0.status.state.hasFix }) with a fix"
        .cut(toDisplayWidth: width)
      lines.append(Line(text: text, width: text.displayWidth))
    }
    return lines + hint
  }

  /// The number of rows that are more important than a hint.
  private static let rowsBeforeHint = 4

  /// Returns the lines of the first hint in the order of the rows; empty without a hint.
  private static func hintLines(for rows: [SourceRow], width: Int) -> [Line] {
    guard let row = rows.first(where: { $0.hint != nil }), let hint = row.hint else { return [] }
    return "\(row.name): \(hint)".split(separator: "\n").flatMap { line in
      String(line).wrapped(to: width).map { words in
        var text = TextBuffer()
        text.append(visible: words)
        let visible = text.string.cut(toDisplayWidth: width)
        return Line(text: visible, width: visible.displayWidth)
      }
    }
  }
}

extension SourceRow {
  private var isDoubted: Bool { status.fix?.doubtText != nil }

  /// The rank of the state. The worst states have the lowest ranks, and a doubted position ranks below any
  /// other position.
  fileprivate var rank: Int {
    switch status.state {
    case .noService: 0
    case .noDevice: 1
    case .lost: 2
    case .searching: 3
    case .connecting: 4
    case .fix2D: isDoubted ? 5 : 6
    case .fix3D: isDoubted ? 5 : 7
    }
  }

  /// Returns the text of a column; empty if it is unknown.
  fileprivate func text(_ column: SourceTable.Column, _ style: TerminalStyle) -> String {
    var output = TextBuffer()
    let fix = status.fix
    switch column {
    case .source:
      output.append(visible: name)
      if let device = status.device { output.append(visible: " \(device)") }
    case .state: output.append(text: status.state.rawValue)
    case .time: if let time = status.duration { output.append(elapsed: time.inSeconds) }
    case .position: if let fix { output.append(fix.coordinate, style) }
    case .accuracy:
      if let accuracy = fix?.horizontalError { output.append(length: accuracy, style) }
    case .quality:
      output.append(text: isDoubted ? "doubted" : fix?.quality?.name ?? "")
    case .age: if fix != nil, let age = status.age { output.append(elapsed: age.inSeconds) }
    case .satellites:
      let used = status.satellitesUsed ?? fix?.satellitesUsed
      let seen = status.satellitesSeen ?? fix?.satellitesSeen
      if used != nil || seen != nil {
        output.append(text: "\(used.map(String.init) ?? "-")/\(seen.map(String.init) ?? "-")")
      }
    case .strength: if let strength { output.append(strength, places: 0) }
    case .speed:
      if let speed = fix?.speed {
        output.append(style.units.speed(speed), places: 1)
        output.append(text: " \(style.units.speedName)")
      }
    case .outages: if outages > 0 { output.append(integer: outages) }
    }
    return output.string
  }

  /// The problem of a source without a position, and its last position.
  ///
  /// - Parameter hasTime: Whether a column shows how long the state has lasted.
  fileprivate func trouble(_ style: TerminalStyle, hasTime: Bool) -> String {
    guard status.fix == nil else { return "" }
    var parts = [LiveLinePart.position, .counter, .retry, .reason]
    if hasTime, status.lastFix == nil { parts.removeAll { $0 == .counter } }
    var texts = parts.compactMap { $0.text(for: status, style: style)?.whole }
    if let failure = status.failure {
      var text = TextBuffer()
      text.append(visible: failure)
      texts.append(text.string)
    }
    return texts.joined(separator: ", ")
  }
}

extension SourceTable {
  /// The columns from left to right, by their titles.
  fileprivate enum Column: String, CaseIterable {
    case source, state
    case time = "for"
    case position, accuracy, quality, age
    case satellites = "sats"
    case strength = "dBHz"
    case speed, outages

    /// The columns that are left out on a narrow terminal, in this order.
    static let dispensable: [Column] = [
      .speed, .strength, .time, .outages, .quality, .satellites, .accuracy, .age,
    ]
  }

  /// The columns that fit on a terminal, and their widths.
  fileprivate struct Grid {
    private static let gap = 2
    private var columns: [(column: Column, width: Int)]

    init(of rows: ArraySlice<SourceRow>, fitting width: Int, _ style: TerminalStyle) {
      columns = Column.allCases.map { column in
        let texts = [column.rawValue] + rows.map { $0.text(column, style) }
        return (column, texts.map(\.displayWidth).max() ?? 0)
      }
      for column in Column.dispensable {
        guard columns.reduce(0, { $0 + $1.width + Self.gap }) - Self.gap > width else { break }
        columns.removeAll { $0.column == column }
      }
    }

    /// Returns a line with a text in each column.
    func line(of text: (Column) -> String, width: Int) -> Line {
      line(columns.map { (text($0.column), nil) }, width: width)
    }

    /// Returns the line of a row. The problem of a source replaces all columns from the position on.
    func line(of row: SourceRow, width: Int, _ style: TerminalStyle) -> Line {
      let hasTime = columns.contains { $0.column == .time }
      let trouble = row.trouble(style, hasTime: hasTime)
      var cells: [(text: String, state: LocationState?)] = []
      for (column, _) in columns {
        if column == .position, !trouble.isEmpty {
          cells.append((trouble, nil))
          break
        }
        let isColoured = column == .state && style.usesColor
        cells.append((row.text(column, style), isColoured ? row.status.state : nil))
      }
      return line(cells, width: width)
    }

    /// - Parameter cells: The text of each column, and the state whose colour the text gets; `nil` for no
    ///   colour.
    private func line(_ cells: [(text: String, state: LocationState?)], width: Int) -> Line {
      var output = TextBuffer()
      var start = 0
      var end = 0
      for ((text, state), column) in zip(cells, columns) {
        defer { start += column.width + Self.gap }
        guard start < width, !text.isEmpty else { continue }
        let visible = text.cut(toDisplayWidth: width - start)
        output.append(text: String(repeating: " ", count: start - end))
        if let state, visible == text {
          output.append(state, inColor: true)
        } else {
          output.append(text: visible)
        }
        end = start + visible.displayWidth
      }
      return Line(text: output.string, width: end)
    }
  }
}

extension [Satellite] {
  /// Returns the mean strength of at most `count` satellites, the strongest ones, in dBHz; `nil` if there are
  /// none.
  fileprivate func meanStrength(ofStrongest count: Int) -> Double? {
    let strengths = compactMap(\.signalStrength).filter { $0 > 0 }.sorted(by: >).prefix(count)
    guard !strengths.isEmpty else { return nil }
    return strengths.reduce(0, +) / Double(strengths.count)
  }
}
