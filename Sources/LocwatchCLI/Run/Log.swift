import LocationCore
import Synchronization

/// Messages for people, on standard error.
///
/// What goes on is told while the run goes on, and never waits for a reader: a message that finds no
/// room is dropped and counted. What a run ends with waits for a moment.
final class Log: Sendable {
  /// A sentence of ours names paths and hosts, each of which may be longer than a text from the wire
  /// is shown.
  private static let longestLine = 1024
  /// How often, and for how many milliseconds each time, a message waits for a reader.
  private static let waits = (count: 10, milliseconds: CInt(25))

  private enum Level { case quiet, normal, verbose }

  private struct State {
    /// What is left of a message that was written in part.
    var rest: ArraySlice<UInt8> = []
    var drops = 0
  }

  private let level: Level
  private let descriptor: Descriptor
  private let state = Mutex(State())

  init(_ options: Options, to descriptor: Descriptor = .standardError) {
    level = options.quiet ? .quiet : options.verbose ? .verbose : .normal
    self.descriptor = descriptor
  }

  /// Whether anybody wants to know what goes on.
  var isVerbose: Bool { level == .verbose }
  /// Whether nobody wants to know more than what went wrong.
  var isQuiet: Bool { level == .quiet }

  /// Says what went wrong.
  func complain(_ message: String) { write(message, waitsForReader: true) }

  /// Says what goes on, to those who want to know.
  func note(_ message: @autoclosure () -> String) {
    if isVerbose { write(message(), waitsForReader: false) }
  }

  /// Says what to try, to those who did not ask for silence.
  func advise(_ message: @autoclosure () -> String) {
    if !isQuiet { write(message(), waitsForReader: false) }
  }

  /// Says what was asked for, whatever the level.
  func say(_ message: String) { write(message, waitsForReader: true) }

  private func write(_ message: String, waitsForReader: Bool) {
    state.withLock { state in
      flush(&state, waitsForReader: waitsForReader)
      guard state.rest.isEmpty else {
        state.drops += 1
        return
      }
      let drops = state.drops
      if drops > 0 {
        append("messages dropped that nobody read: \(drops)", to: &state)
        state.drops = 0
      }
      append(message, to: &state)
      let count = state.rest.count
      flush(&state, waitsForReader: waitsForReader)
      // Nothing of it went out: the next one may find room for both.
      guard state.rest.count == count else { return }
      state.rest = []
      state.drops = drops + 1
    }
  }

  private func append(_ message: String, to state: inout State) {
    var text = TextBuffer()
    for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
      text.append(text: "locwatch: ")
      text.append(visible: String(line), longest: Self.longestLine)
      text.append(character: "\n")
    }
    state.rest += text.bytes
  }

  private func flush(_ state: inout State, waitsForReader: Bool) {
    var turns = waitsForReader ? Self.waits.count : 0
    while !state.rest.isEmpty {
      switch descriptor.writeNow(state.rest) {
      case .wrote(let count): state.rest = state.rest.dropFirst(count)
      case .notNow:
        guard turns > 0 else { return }
        turns -= 1
        _ = descriptor.isWritable(within: Self.waits.milliseconds)
      case .failed: state.rest = []
      }
    }
  }
}
