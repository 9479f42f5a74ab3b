import LocationCore
import LocationFormats

/// The lines at the end of a terminal that are redrawn in place, below text that scrolls.
struct LiveLines {
  private let terminal: Descriptor
  private let rewraps: Bool
  private let minimumInterval: Duration
  private var sink: OutputSink
  private var block = DrawnBlock()
  /// When the lines were drawn last, or could not be.
  private(set) var drawn: Moment?

  /// - Parameter minimumInterval: The shortest time between two redraws.
  init(
    _ terminal: Descriptor, style: TerminalStyle, every minimumInterval: Duration, isReplay: Bool
  ) {
    self.terminal = terminal
    rewraps = style.rewraps
    self.minimumInterval = minimumInterval
    sink = OutputSink(terminal, waitsForReader: isReplay)
  }

  /// The current size of the terminal.
  var size: (columns: Int, rows: Int) { terminal.size }
  var hasPending: Bool { !sink.isEmpty }
  var blockedOutput: Descriptor? { sink.blockedOutput }
  func hasRoom(for update: LocationUpdate) -> Bool { sink.hasRoom(for: update) }

  /// Whether the lines were drawn so recently that they are not drawn again.
  func isTooEarly(at now: Moment) -> Bool {
    guard let drawn, !block.isEmpty else { return false }
    return drawn.duration(to: now) < minimumInterval
  }

  /// Returns whether lines may be drawn: a stopped terminal gets no more of them, and a background job must
  /// not write over the shell's prompt.
  mutating func mayDraw(at now: Moment) -> Bool {
    if sink.isEmpty || block.isEmpty, terminal.isInForeground { return true }
    drawn = now
    return false
  }

  /// Clears the lines. Those that are appended next are drawn in their place.
  mutating func beginDrawing(at now: Moment) {
    wipe()
    drawn = now
  }

  /// Draws a line below the others.
  ///
  /// - Parameter line: Appends the text, and returns its width in columns.
  mutating func append(_ line: (inout TextBuffer) -> Int) {
    if !block.isEmpty { sink.text.append(character: "\n") }
    block.append(width: line(&sink.text))
  }

  /// Draws a line below the others.
  mutating func append(_ line: String) {
    append { text in
      text.append(text: line)
      return line.displayWidth
    }
  }

  /// Clears the lines and appends text that scrolls.
  mutating func scroll(_ append: (inout TextBuffer) -> Void) {
    wipe()
    append(&sink.text)
  }

  mutating func flush() throws(OutputError) { try sink.flush() }

  /// Clears the lines now. Returns whether there were any.
  mutating func clear() -> Bool {
    guard !block.isEmpty else { return false }
    wipe()
    // If the terminal is gone, the next flush reports it.
    try? sink.flush()
    return true
  }

  /// Writes the rest, and leaves the lines where they are.
  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    if !block.isEmpty { sink.text.append(character: "\n") }
    block = DrawnBlock()
    try sink.finish(waitsForReader: waitsForReader)
  }

  private mutating func wipe() {
    guard !block.isEmpty else { return }
    sink.text.append(text: block.clearing(columns: terminal.size.columns, rewraps: rewraps))
    block = DrawnBlock()
  }
}
