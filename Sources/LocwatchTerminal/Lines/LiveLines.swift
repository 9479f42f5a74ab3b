import LocationCore
import LocationText
package import LocwatchSystem
import Synchronization

/// The lines at the end of a terminal that are redrawn in place, below text that scrolls.
///
/// A log message on the same terminal clears them first, wherever the message comes from.
package final class LiveLines: Sendable {
  private struct State {
    var sink: OutputSink
    var block = DrawnBlock()
    /// What scrolls before the lines are drawn again.
    var queue = TextBuffer()
    var dropCount = 0
    var drawn: Moment?
    var isCleared = false
  }

  /// The size of the queue from which on it scrolls at once, in bytes.
  private static let maximumQueue = 64 * 1024

  private let terminal: Descriptor
  /// Returns the current size of the terminal.
  let size: @Sendable () -> (columns: Int, rows: Int)
  private let rewraps: Bool
  private let state: Mutex<State>

  package init(
    _ terminal: Descriptor, style: TerminalStyle, isReplay: Bool,
    size: (@Sendable () -> (columns: Int, rows: Int))? = nil
  ) {
    self.terminal = terminal
    self.size = size ?? { terminal.size }
    rewraps = style.rewraps
    state = Mutex(State(sink: OutputSink(terminal, waitsForReader: isReplay)))
  }

  /// Whether some output is unwritten, or the lines have to be drawn again.
  package var hasPending: Bool {
    state.withLock { $0.isCleared || !$0.sink.isEmpty || $0.queue.count > 0 }
  }
  /// Whether the lines were cleared for a message and have not been drawn since.
  var isCleared: Bool { state.withLock(\.isCleared) }
  /// How many transitions had no room.
  var dropCount: Int { state.withLock(\.dropCount) }
  package var blockedOutput: Descriptor? { state.withLock(\.sink.blockedOutput) }
  /// When the lines were last drawn, or could not be drawn.
  var drawn: Moment? { state.withLock(\.drawn) }

  /// Returns whether the lines were drawn too recently to be drawn again.
  ///
  /// - Parameter interval: The shortest time between two redraws.
  func isTooEarly(at now: Moment, every interval: Duration) -> Bool {
    state.withLock { state in
      guard let drawn = state.drawn, !state.block.isEmpty else { return false }
      return drawn.duration(to: now) < interval
    }
  }

  /// Returns whether lines may be drawn. A stopped terminal gets no more lines, and a background job must not
  /// write over the shell's prompt.
  func mayDraw(at now: Moment) -> Bool {
    state.withLock { state in
      let isFree = !state.sink.isBlocked && (state.sink.isEmpty || state.block.isEmpty)
      if isFree, terminal.isInForeground { return true }
      state.drawn = now
      return false
    }
  }

  /// Clears the lines, and lets the queue scroll. Lines that are appended next are drawn below it.
  func beginDrawing(at now: Moment) {
    state.withLock { state in
      wipe(&state)
      scroll(&state)
      state.drawn = now
      state.isCleared = false
    }
  }

  /// Draws a line below the others.
  ///
  /// - Parameter line: Appends the text, and returns its width in columns.
  func append(_ line: (inout TextBuffer) -> Int) {
    state.withLock { state in
      if !state.block.isEmpty { state.sink.text.append(character: "\n") }
      state.block.append(width: line(&state.sink.text))
    }
  }

  /// Draws a line below the others.
  func append(_ line: String) {
    append { text in
      text.append(text: line)
      return line.displayWidth
    }
  }

  /// Appends a transition or another change to the queue, if there is room. No other update is appended.
  ///
  /// - Parameter source: The name of one of several sources; `nil` for the only one.
  func queue(_ update: LocationUpdate, of source: String?, by renderer: TerminalRenderer) {
    switch update {
    case .state(let change):
      queue(update) { renderer.transition(change, of: source, width: $0, into: &$1) }
    case .change(let change):
      queue(update) { renderer.transition(change, of: source, width: $0, into: &$1) }
    case .fix, .retry, .event: break
    }
  }

  private func queue(
    _ update: LocationUpdate, by append: (_ width: Int, inout TextBuffer) -> Void
  ) {
    // The size is asked for only where something is appended, not for each fix.
    let width = max(1, size().columns)
    state.withLock { state in
      guard state.sink.hasRoom(for: update) else {
        state.dropCount += 1
        return
      }
      append(width, &state.queue)
      if state.queue.count > Self.maximumQueue { scroll(&state) }
    }
  }

  /// Clears the lines, and lets the queue scroll, if there is something in it.
  func scroll() { state.withLock { scroll(&$0) } }

  package func flush() throws(OutputError) {
    try state.withLock { state throws(OutputError) in try state.sink.flush() }
  }

  /// Clears the lines now, for a message in their place. It may be called from any thread.
  package func clear() {
    state.withLock { state in
      guard !state.block.isEmpty || state.queue.count > 0 else { return }
      state.isCleared = state.isCleared || !state.block.isEmpty
      wipe(&state)
      scroll(&state)
      // If the terminal is gone, the next flush reports it.
      try? state.sink.flush()
    }
  }

  /// Writes the rest, and leaves the lines on the terminal.
  package func finish(waitsForReader: Bool) throws(OutputError) {
    try state.withLock { state throws(OutputError) in
      scroll(&state)
      if !state.block.isEmpty { state.sink.text.append(character: "\n") }
      state.block = DrawnBlock()
      try state.sink.finish(waitsForReader: waitsForReader)
    }
  }

  private func scroll(_ state: inout State) {
    guard state.queue.count > 0 else { return }
    wipe(&state)
    state.sink.text.append(state.queue)
    state.queue.removeAll()
  }

  /// Clears the lines. Those of a background job stay: below them is what the shell wrote since.
  private func wipe(_ state: inout State) {
    guard !state.block.isEmpty else { return }
    if terminal.isInForeground {
      state.sink.text.append(text: state.block.clearing(columns: size().columns, rewraps: rewraps))
    }
    state.block = DrawnBlock()
  }
}
