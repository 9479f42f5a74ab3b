package import LocationCore
package import LocationFormats
package import LocwatchSystem

/// The lines that are redrawn on a terminal.
package struct LinesPlan: Sendable {
  let events: EventChoice
  let showsSatellites: Bool
  /// The time after which the lines are redrawn without an update, by the source's clock.
  package let tick: Duration

  package init(events: EventChoice, showsSatellites: Bool, tick: Duration) {
    self.events = events
    self.showsSatellites = showsSatellites
    self.tick = tick
  }
}

/// Shows the updates of a source on a terminal. Transitions scroll. Below them, live lines are redrawn in place:
/// one for each receiver and, with `--satellites`, a table above it.
package struct ScreenPresenter: Presenter {
  /// The shortest time between two redraws.
  private static let minimumRedrawInterval = Duration.milliseconds(50)
  /// The number of updates without a pause after which the lines are drawn again.
  private static let maximumUndrawn = 10_000

  private let renderer: TerminalRenderer
  private let events: EventChoice
  private let showsSatellites: Bool
  private let tick: Duration
  private let lines: LiveLines
  private var board = StatusBoard()
  private var undrawn = 0
  private var latest: Moment?

  package init(on lines: LiveLines, style: TerminalStyle, _ plan: LinesPlan) {
    self.lines = lines
    events = plan.events
    renderer = TerminalRenderer(style: style, showsRetries: plan.events == .transitionsOnly)
    showsSatellites = plan.showsSatellites
    tick = plan.tick
  }

  package var status: OutputStatus {
    OutputStatus(
      hasPending: undrawn > 0 || lines.hasPending, blocked: lines.blockedOutput,
      isWorthFlushing: undrawn >= Self.maximumUndrawn,
      // Ages and waits for retries change between updates.
      nextTick: lines.drawn?.advanced(by: undrawn > 0 ? Self.minimumRedrawInterval : tick))
  }

  package var unwrittenRecords: Int { lines.dropCount }

  package mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
    board.record(update, at: moment)
    undrawn += 1
    latest = moment
    guard events != .fixesOnly else { return }
    lines.queue(update, of: nil, by: renderer)
    lines.scroll()
  }

  package mutating func flush(at now: Moment) throws(OutputError) {
    draw(at: now)
    try lines.flush()
  }

  package mutating func finish(waitsForReader: Bool) throws(OutputError) {
    if undrawn > 0 || lines.isCleared, let latest { draw(at: latest, isLast: true) }
    try lines.finish(waitsForReader: waitsForReader)
  }

  private mutating func draw(at now: Moment, isLast: Bool = false) {
    guard isLast || !lines.isTooEarly(at: now, every: Self.minimumRedrawInterval) else { return }
    undrawn = 0
    guard events != .transitionsOnly, lines.mayDraw(at: now) else { return }
    var rows = board.lines(at: now)
    guard !rows.isEmpty else { return }
    let size = lines.size()
    let width = max(1, size.columns - 1)
    let shown = rows.count <= size.rows - 2 ? rows.count : max(1, size.rows - 3)
    if shown < rows.count {
      // Receivers with a position come before receivers without one.
      rows = rows.filter(\.status.state.hasFix) + rows.filter { !$0.status.state.hasFix }
    }
    // The first line must stay on the terminal, because lines that have scrolled away cannot be cleared.
    var room = size.rows - 1 - shown - (shown < rows.count ? 1 : 0)
    lines.beginDrawing(at: now)
    for row in rows.prefix(shown) {
      drawTable(of: row.path, width: width, room: &room)
      lines.append { [renderer] in renderer.live(row.status, width: width, into: &$0) }
    }
    if shown < rows.count, size.rows > 3 {
      lines.append("and \(rows.count - shown) more".cut(toDisplayWidth: width))
    }
  }

  private mutating func drawTable(of path: String?, width: Int, room: inout Int) {
    guard showsSatellites, let satellites = path.flatMap(board.satellites(of:)) else { return }
    for line in renderer.table(of: satellites, width: width).prefix(max(0, room)) {
      lines.append(line)
      room -= 1
    }
  }
}
