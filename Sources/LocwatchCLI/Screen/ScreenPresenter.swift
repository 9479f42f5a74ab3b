import LocationCore
import LocationFormats

/// Shows updates on a terminal. Transitions scroll. Below them, live lines are redrawn in place:
/// one for each receiver and, with `--satellites`, a table above it.
struct ScreenPresenter: Presenter {
  /// The shortest time between two redraws.
  private static let minimumRedrawInterval = Duration.milliseconds(50)
  /// After so many updates without a pause, the lines are redrawn.
  private static let maximumUndrawn = 10_000

  private let terminal: Descriptor
  private let style: TerminalStyle
  private let renderer: TerminalRenderer
  private let events: EventChoice
  private let showsSatellites: Bool
  private let tick: Duration
  private var sink: OutputSink
  private var board = StatusBoard()
  private var skies = SkyMemory()
  private var block = DrawnBlock()
  private var undrawn = 0
  private var latest: Moment?
  private var drawn: Moment?

  init(_ terminal: Descriptor, style: TerminalStyle, _ options: Options) {
    self.terminal = terminal
    self.style = style
    events = options.events
    renderer = TerminalRenderer(style: style, showsRetries: events == .transitionsOnly)
    showsSatellites = options.satellites
    tick = options.redrawInterval
    sink = OutputSink(terminal, waitsForReader: options.isReplay)
  }

  var hasPending: Bool { undrawn > 0 || !sink.isEmpty }
  var blockedOutput: Descriptor? { sink.blockedOutput }
  var isWorthFlushing: Bool { undrawn >= Self.maximumUndrawn }

  /// Fixes are drawn in place. Only transitions accumulate.
  func hasRoom(for update: LocationUpdate) -> Bool {
    if case .fix = update { return true }
    return sink.hasRoom(for: update)
  }

  /// Ages and retries are counted between updates, too.
  var nextTick: Moment? {
    drawn?.advanced(by: tick)
  }

  mutating func begin(at now: Moment) {}

  mutating func present(_ update: LocationUpdate, at moment: Moment) {
    board.note(update, at: moment)
    undrawn += 1
    latest = moment
    switch update {
    case .state(let change):
      skies.update(after: change)
      guard events != .fixesOnly else { return }
      wipe()
      renderer.transition(change, width: max(1, terminal.size.columns), into: &sink.text)
    case .change(let change):
      guard events != .fixesOnly else { return }
      wipe()
      renderer.transition(change, width: max(1, terminal.size.columns), into: &sink.text)
    case .report(.sky(let sky)): skies.remember(sky)
    case .fix, .retry, .report: break
    }
  }

  mutating func flush(at now: Moment) throws(OutputError) {
    draw(at: now)
    try sink.flush()
  }

  mutating func clearLiveLines() {
    guard !block.isEmpty else { return }
    wipe()
    undrawn += 1
    // If the terminal is gone, the next flush reports it.
    try? sink.flush()
  }

  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    if undrawn > 0, let latest {
      drawn = nil
      draw(at: latest)
    }
    if !block.isEmpty { sink.text.append(character: "\n") }
    block = DrawnBlock()
    try sink.finish(waitsForReader: waitsForReader)
  }

  private mutating func wipe() {
    guard !block.isEmpty else { return }
    sink.text.append(
      text: block.clearing(columns: terminal.size.columns, rewraps: style.rewraps))
    block = DrawnBlock()
  }

  private mutating func draw(at now: Moment) {
    if let drawn, !block.isEmpty, drawn.duration(to: now) < Self.minimumRedrawInterval { return }
    undrawn = 0
    // While the terminal is stopped, lines are not drawn again.
    guard events != .transitionsOnly, sink.isEmpty || block.isEmpty else { return }
    // A background job must not write over the shell's prompt.
    guard terminal.isInForeground else { return }
    var lines = board.lines(at: now)
    guard !lines.isEmpty else { return }
    wipe()
    let size = terminal.size
    let width = max(1, size.columns - 1)
    let shown = lines.count <= size.rows - 2 ? lines.count : max(1, size.rows - 3)
    if shown < lines.count {
      // Receivers without a position give way to those with one.
      lines = lines.filter(\.status.state.hasFix) + lines.filter { !$0.status.state.hasFix }
    }
    // The first line must stay on the terminal, since lines that scrolled away cannot be cleared.
    var room = size.rows - 1 - shown - (shown < lines.count ? 1 : 0)
    for (index, line) in lines.prefix(shown).enumerated() {
      if index > 0 { sink.text.append(character: "\n") }
      drawTable(of: line.path, width: width, room: &room)
      block.append(width: renderer.live(line.status, width: width, into: &sink.text))
    }
    if shown < lines.count, size.rows > 3 {
      let rest = "and \(lines.count - shown) more".cut(toDisplayWidth: width)
      sink.text.append(text: "\n" + rest)
      block.append(width: rest.displayWidth)
    }
    drawn = now
  }

  private mutating func drawTable(of path: String?, width: Int, room: inout Int) {
    guard showsSatellites, let satellites = path.flatMap(skies.satellites(of:)) else { return }
    for line in renderer.table(of: satellites, width: width).prefix(max(0, room)) {
      sink.text.append(text: line + "\n")
      block.append(width: line.displayWidth)
      room -= 1
    }
  }
}

extension Options {
  /// Whether text on a terminal is shown as live lines. With `--count` or a replay at full speed,
  /// records are written instead, because they are read afterwards.
  var redraws: Bool {
    guard format == .text, count == nil else { return false }
    return !isReplay || speed != .max
  }

  /// The time after which the lines are redrawn without an update, by the source's clock.
  var redrawInterval: Duration {
    guard isReplay, case .times(let speed) = speed else { return .seconds(1) }
    return .seconds(1) * max(1, speed)
  }
}
