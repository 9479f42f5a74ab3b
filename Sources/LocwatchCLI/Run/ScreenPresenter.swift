import LocationCore

/// A terminal: transitions scroll by, and the last line is redrawn in place.
struct ScreenPresenter: Presenter {

  /// A faster receiver is redrawn no more often than the eye sees.
  private static let fastestRedraw = Duration.milliseconds(50)

  private let terminal: Descriptor
  private let renderer: TerminalRenderer
  private let events: Options.EventChoice
  private let showsSatellites: Bool
  private var sink: OutputSink
  private var board = StatusBoard()
  private var hasLine = false
  private var isDirty = false
  private var drawn: Moment?

  init(_ terminal: Descriptor, style: TerminalStyle, _ options: Options) {
    self.terminal = terminal
    renderer = TerminalRenderer(style: style)
    events = options.events
    showsSatellites = options.satellites
    sink = OutputSink(terminal, waitsForReader: options.replay != nil)
  }

  var hasPending: Bool { isDirty || !sink.isEmpty }
  var isWorthFlushing: Bool { false }

  /// Fixes have their one line; only what scrolls by piles up.
  func hasRoom(for update: LocationUpdate) -> Bool {
    if case .fix = update { return true }
    return sink.hasRoom(for: update)
  }

  /// The age on the line counts up by itself.
  func nextTick(after now: Moment) -> Moment? {
    guard let drawn, board.status(at: now)?.elapsed != nil else { return nil }
    return drawn.advanced(by: .seconds(1))
  }

  mutating func begin(at now: Moment) {}

  mutating func present(_ update: LocationUpdate, at moment: Moment) {
    board.note(update, at: moment)
    isDirty = true
    switch update {
    case .state(let change):
      guard events != .fixesOnly else { return }
      wipe()
      renderer.transition(change, into: &sink.bytes)
    case .report(.sky(let sky)) where showsSatellites:
      wipe()
      renderer.table(of: sky, into: &sink.bytes)
    case .fix, .report: break
    }
  }

  mutating func flush(at now: Moment) throws(OutputError) {
    draw(at: now)
    try sink.flush(trailer: "")
  }

  mutating func makeRoom() {
    guard hasLine else { return }
    wipe()
    isDirty = true
    // A terminal that is gone is noticed with the next line.
    try? sink.flush(trailer: "")
  }

  mutating func finish() throws(OutputError) {
    if hasLine { sink.bytes.append(character: "\n") }
    hasLine = false
    try sink.finish()
  }

  private mutating func wipe() {
    guard hasLine else { return }
    sink.bytes.append(text: TransientLine.clearing)
    hasLine = false
  }

  private mutating func draw(at now: Moment) {
    isDirty = false
    // One line is enough for a terminal that is stopped.
    guard events != .transitionsOnly, sink.isEmpty || !hasLine else { return }
    // In the background, somebody else's prompt is there.
    guard terminal.isInForeground else { return }
    guard let status = board.status(at: now) else { return }
    sink.bytes.append(text: TransientLine.clearing)
    renderer.live(status, width: max(1, terminal.columns - 1), into: &sink.bytes)
    hasLine = true
    drawn = now
  }
}
