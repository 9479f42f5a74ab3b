import LocationCore

/// A terminal: transitions scroll by, and the last line is redrawn in place, with the table of
/// satellites above it where that is asked for.
struct ScreenPresenter: Presenter {
  /// A faster receiver is redrawn no more often than the eye sees.
  private static let fastestRedraw = Duration.milliseconds(50)
  /// How often a replay at full speed, which waits for nothing, shows where it is.
  private static let mostUndrawn = 10_000

  private let terminal: Descriptor
  private let style: TerminalStyle
  private let renderer: TerminalRenderer
  private let events: Options.EventChoice
  private let showsSatellites: Bool
  private let tick: Duration?
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
    renderer = TerminalRenderer(style: style)
    events = options.events
    showsSatellites = options.satellites
    tick = options.redrawInterval
    sink = OutputSink(terminal, waitsForReader: options.replay != nil)
  }

  var hasPending: Bool { undrawn > 0 || !sink.isEmpty }
  var isWorthFlushing: Bool { undrawn >= Self.mostUndrawn }

  /// Fixes have their one line; only what scrolls by piles up.
  func hasRoom(for update: LocationUpdate) -> Bool {
    if case .fix = update { return true }
    return sink.hasRoom(for: update)
  }

  /// The age on the line counts up by itself.
  var nextTick: Moment? {
    guard let tick, let drawn else { return nil }
    return drawn.advanced(by: tick)
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
      renderer.transition(change, into: &sink.text)
    case .report(.sky(let sky)): skies.remember(sky)
    case .fix, .retry, .report: break
    }
  }

  mutating func flush(at now: Moment) throws(OutputError) {
    draw(at: now)
    try sink.flush(trailer: "")
  }

  mutating func makeRoom() {
    guard !block.isEmpty else { return }
    wipe()
    undrawn += 1
    // A terminal that is gone is noticed with the next line.
    try? sink.flush(trailer: "")
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
    if let drawn, !block.isEmpty, drawn.duration(to: now) < Self.fastestRedraw { return }
    undrawn = 0
    // One line is enough for a terminal that is stopped.
    guard events != .transitionsOnly, sink.isEmpty || block.isEmpty else { return }
    // In the background, somebody else's prompt is there.
    guard terminal.isInForeground, let status = board.status(at: now) else { return }
    wipe()
    let size = terminal.size
    let width = max(1, size.columns - 1)
    if showsSatellites, let satellites = board.shown.flatMap(skies.satellites(of:)) {
      for line in renderer.table(of: satellites, width: width).prefix(max(0, size.rows - 2)) {
        sink.text.append(text: line + "\n")
        block.append(width: line.displayWidth)
      }
    }
    block.append(width: renderer.live(status, width: width, into: &sink.text))
    drawn = now
  }
}

extension Options {
  /// After how much of the source's time the line is drawn again although nothing came; `nil` where a
  /// recording is gone through as fast as possible, for it may be silent for a year.
  fileprivate var redrawInterval: Duration? {
    guard replay != nil else { return .seconds(1) }
    return switch speed {
    case .max: nil
    case .times(let speed): .seconds(1) * max(1, speed)
    }
  }
}
