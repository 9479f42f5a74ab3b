import LocationCore
import LocationFormats

/// Shows the sources on a terminal, in a table that is redrawn in place: a row for each receiver, those
/// in the worst state first.
struct FleetTable: FleetPresenter {
  /// The shortest time between two redraws. More than a few a second are not read.
  private static let minimumRedrawInterval = Duration.milliseconds(250)

  private struct Source {
    let name: String
    var board = StatusBoard()
    /// What is counted of each receiver.
    var tallies = ReceiverTable<Tally>()

    mutating func note(_ update: LocationUpdate, at moment: Moment) {
      let fixed: [String] = if case .state = update { board.receiversWithFix } else { [] }
      board.note(update, at: moment)
      switch update {
      case .state:
        let rest = board.receiversWithFix
        for path in fixed where !rest.contains(path) { tallies.edit(path) { $0.outages += 1 } }
      case .report(.sky(let sky)):
        guard let strength = sky.meanOfStrongest(4) else { break }
        tallies.edit(sky.device ?? "") { $0.strength = strength }
      case .change, .fix, .retry, .report: break
      }
    }
  }

  fileprivate struct Tally {
    /// How often the fix was lost.
    var outages = 0
    /// The mean of the four strongest signals, in dBHz.
    var strength: Double?
  }

  private let style: TerminalStyle
  private let tick: Duration
  private var lines: LiveLines
  private var sources: [Source?] = []
  private var isChanged = false
  private var latest: Moment?

  init(_ terminal: Descriptor, style: TerminalStyle, _ options: Options) {
    lines = LiveLines(
      terminal, style: style, every: Self.minimumRedrawInterval, isReplay: options.isReplay)
    self.style = style
    tick = options.redrawInterval
  }

  var hasPending: Bool { isChanged || lines.hasPending }
  var blockedOutput: Descriptor? { lines.blockedOutput }
  var isWorthFlushing: Bool { false }
  /// Ages and retries are counted between updates, too.
  var nextTick: Moment? {
    lines.drawn?.advanced(by: isChanged ? Self.minimumRedrawInterval : tick)
  }

  mutating func add(_ options: Options, as source: Int) {
    let new = Source(name: options.source ?? "")
    if source < sources.count { sources[source] = new } else { sources.append(new) }
    isChanged = true
  }

  mutating func remove(_ source: Int) {
    sources[source] = nil
    isChanged = true
  }

  mutating func begin(at now: Moment) {}

  func hasRoom(for update: LocationUpdate, of source: Int) -> Bool { true }

  mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
    sources[source]?.note(update, at: moment)
    isChanged = true
    latest = moment
  }

  mutating func flush(at now: Moment) throws(OutputError) {
    draw(at: now)
    try lines.flush()
  }

  mutating func clearLiveLines() {
    if lines.clear() { isChanged = true }
  }

  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    if isChanged, let latest { draw(at: latest, isLast: true) }
    try lines.finish(waitsForReader: waitsForReader)
  }

  private mutating func draw(at now: Moment, isLast: Bool = false) {
    guard isLast || !lines.isTooEarly(at: now), lines.mayDraw(at: now) else { return }
    isChanged = false
    lines.beginDrawing(at: now)
    let rows = rows(at: now)
    guard !rows.isEmpty else { return }
    for line in Self.lines(of: rows, lines.size, style) {
      lines.append { text in
        text.append(text: line.text)
        return line.width
      }
    }
  }

  func rows(at now: Moment) -> [FleetRow] {
    sources.flatMap { source -> [FleetRow] in
      guard let source else { return [] }
      return source.board.lines(at: now).map { line in
        var row = FleetRow(name: source.name, status: line.status)
        if let path = line.path {
          row.outages = source.tallies[path]?.outages ?? 0
          // A silent or absent receiver reports no satellites.
          if line.status.satellitesSeen != nil { row.strength = source.tallies[path]?.strength }
        } else {
          row.outages = source.tallies.values.reduce(0) { $0 + $1.outages }
        }
        return row
      }
    }
  }
}

/// A receiver in the table, or the link of a source without one.
struct FleetRow: Equatable {
  let name: String
  let status: LiveStatus
  var outages = 0
  var strength: Double?
}

extension FleetTable {
  struct Line: Equatable {
    var text: String
    var width: Int
  }

  private static let titles = [
    "source", "state", "for", "quality", "age", "sats", "dBHz", "accuracy", "speed", "outages",
  ]

  /// Returns the lines of the table: as many rows as fit, the worst first, and how many are left out.
  static func lines(
    of rows: [FleetRow], _ size: (columns: Int, rows: Int), _ style: TerminalStyle
  ) -> [Line] {
    let rows = rows.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }.map(\.element)
    // The header, and below it at least one row; the first line must not scroll away.
    let room = max(1, size.rows - 2)
    let shown = rows.count <= room ? rows.count : max(1, room - 1)
    let cells = [titles] + rows.prefix(shown).map { $0.cells(style) }
    let widths = titles.indices.map { column in cells.map { $0[column].displayWidth }.max() ?? 0 }
    let columns = max(1, size.columns - 1)
    var lines = cells.enumerated().map { index, cells in
      let state = index > 0 && style.usesColor ? rows[index - 1].status.state : nil
      return Line(cells, widths: widths, columns: columns, state: state)
    }
    if shown < rows.count {
      let rest = rows.dropFirst(shown)
      let text = "and \(rest.count) more, \(rest.count { $0.status.state.hasFix }) with a fix"
        .cut(toDisplayWidth: columns)
      lines.append(Line(text: text, width: text.displayWidth))
    }
    return lines
  }
}

extension FleetRow {
  /// The worst states have the lowest ranks.
  fileprivate var rank: Int {
    switch status.state {
    case .noService: 0
    case .noDevice: 1
    case .lost: 2
    case .searching: 3
    case .connecting: 4
    case .fix2D: 5
    case .fix3D: 6
    }
  }

  fileprivate func cells(_ style: TerminalStyle) -> [String] {
    let fix = status.fix
    return [
      text { output in
        output.append(visible: name)
        if let device = status.device { output.append(visible: " \(device)") }
      },
      status.state.rawValue,
      text { output in if let time = status.duration { output.append(elapsed: time.inSeconds) } },
      fix?.quality?.name ?? "",
      text { output in if let age = status.age { output.append(elapsed: age.inSeconds) } },
      text { output in
        let used = status.satellitesUsed ?? fix?.satellitesUsed
        let seen = status.satellitesSeen ?? fix?.satellitesSeen
        if used != nil || seen != nil {
          output.append(text: "\(used.map(String.init) ?? "-")/\(seen.map(String.init) ?? "-")")
        }
      },
      text { output in if let strength { output.append(strength, places: 0) } },
      text { output in if let accuracy = fix?.accuracy { output.append(length: accuracy, style) } },
      text { output in
        guard let speed = fix?.speed else { return }
        output.append(style.units.speed(speed), places: 1)
        output.append(text: " \(style.units.speedName)")
      },
      outages > 0 ? String(outages) : "",
    ]
  }

  private func text(_ append: (inout TextBuffer) -> Void) -> String {
    var output = TextBuffer()
    append(&output)
    return output.string
  }
}

extension FleetTable.Line {
  /// Creates the line of a row, of at most so many columns.
  ///
  /// - Parameter state: The state in the second cell, if it is to be coloured.
  fileprivate init(_ cells: [String], widths: [Int], columns: Int, state: LocationState?) {
    var output = TextBuffer()
    var column = 0
    var end = 0
    for (index, cell) in cells.enumerated() {
      defer { column += widths[index] + 2 }
      guard column < columns, !cell.isEmpty else { continue }
      let visible = cell.cut(toDisplayWidth: columns - column)
      output.append(text: String(repeating: " ", count: column - end))
      if index == 1, let state, visible == cell {
        output.append(state, inColor: true)
      } else {
        output.append(text: visible)
      }
      end = column + visible.displayWidth
    }
    self.init(text: output.string, width: end)
  }
}

extension SkyView {
  /// Returns the mean strength of so many of the strongest satellites, in dBHz; `nil` if there are none.
  fileprivate func meanOfStrongest(_ count: Int) -> Double? {
    let strengths = (satellites ?? []).compactMap(\.signalStrength).filter { $0 > 0 }
      .sorted(by: >).prefix(count)
    guard !strengths.isEmpty else { return nil }
    return strengths.reduce(0, +) / Double(strengths.count)
  }
}

extension ReceiverTable<FleetTable.Tally> {
  fileprivate mutating func edit(_ path: String, _ change: (inout Value) -> Void) {
    var value = self[path] ?? Value()
    change(&value)
    self[path] = value
  }
}
