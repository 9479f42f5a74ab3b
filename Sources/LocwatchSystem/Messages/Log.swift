import GPSDProtocol
import LocationText
import Synchronization

/// Messages for people, on standard error.
///
/// Steps and advice never wait for the reader: if they do not fit, they are dropped and counted. An error waits for
/// up to 250 ms, unless the last wait was in vain.
package final class Log: Sendable {
  /// Longer than ``maximumTextShown``, because a message can contain several paths and hosts.
  private static let maximumLineLength = 1024
  /// How often, and for how many milliseconds each time, a message waits for a reader.
  private static let waits = (count: 10, milliseconds: CInt(25))

  private struct State {
    /// Shows a message elsewhere; returns whether it did.
    var screen: (@Sendable (String) -> Bool)?
    /// The unwritten rest of a message.
    var rest: ArraySlice<UInt8> = []
    var drops = 0
    /// Whether a wait for the reader was in vain, so that the next one would be, too.
    var isStuck = false
  }

  /// Whether `--verbose` is given.
  package let isVerbose: Bool
  /// Whether `--quiet` is given.
  private let isQuiet: Bool
  private let isMuted: Bool
  private let descriptor: Descriptor
  /// The name of the source of the messages; `nil` if there is only one source.
  private let source: String?
  private let shared: Shared

  /// What the logs of all sources share.
  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  package convenience init(
    isVerbose: Bool, isQuiet: Bool, to descriptor: Descriptor = .standardError
  ) {
    self.init(isVerbose: isVerbose, isQuiet: isQuiet, to: descriptor, source: nil, Shared())
  }

  private init(
    isVerbose: Bool, isQuiet: Bool, isMuted: Bool = false, to descriptor: Descriptor,
    source: String?, _ shared: Shared
  ) {
    self.isMuted = isMuted
    self.isVerbose = isVerbose
    self.isQuiet = isQuiet
    self.descriptor = descriptor
    self.source = source
    self.shared = shared
  }

  /// Returns the log of one source, whose messages name it.
  package func named(_ source: String) -> Log {
    Log(isVerbose: isVerbose, isQuiet: isQuiet, to: descriptor, source: source, shared)
  }

  /// Returns a log that says nothing.
  package func muted() -> Log {
    Log(isVerbose: false, isQuiet: true, isMuted: true, to: descriptor, source: source, shared)
  }

  /// Logs an error, or the counts at the end. It waits for the reader, unless the last wait was in vain.
  package func error(_ message: Message) { write(message, waitsForReader: true) }

  /// Logs a step if `--verbose` is given.
  package func detail(_ message: @autoclosure () -> Message) {
    if isVerbose { write(message(), waitsForReader: false) }
  }

  /// Logs advice unless `--quiet` is given.
  package func advise(_ message: @autoclosure () -> Message) {
    if !isQuiet { write(message(), waitsForReader: false) }
  }

  /// Has messages shown on a screen. While it shows them, they are not written to a terminal.
  package func show(on screen: @escaping @Sendable (String) -> Bool) {
    shared.state.withLock { $0.screen = screen }
  }

  private func write(_ message: Message, waitsForReader: Bool) {
    guard !isMuted else { return }
    // A message may quote the command line.
    let message = message.text.withoutUserInfo
    shared.state.withLock { state in
      if state.screen?(message) == true, descriptor.kind == .terminal { return }
      flush(&state, waitsForReader: waitsForReader)
      guard state.rest.isEmpty else {
        state.drops += 1
        return
      }
      let drops = state.drops
      if drops > 0 {
        append("messages dropped because stderr was blocked: \(drops)", to: &state)
        state.drops = 0
      }
      append(message, to: &state)
      let count = state.rest.count
      flush(&state, waitsForReader: waitsForReader)
      // Nothing was written, so the message can still be dropped as a whole.
      guard state.rest.count == count else { return }
      state.rest = []
      state.drops = drops + 1
    }
  }

  private func append(_ message: String, to state: inout State) {
    var text = TextBuffer()
    for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
      text.append(text: "locwatch: ")
      if let source = source?.withoutUserInfo, !line.names(source) {
        text.append(visible: "\(source): ", maximum: Self.maximumLineLength)
      }
      text.append(visible: String(line), maximum: Self.maximumLineLength)
      text.append(character: "\n")
    }
    state.rest += text.bytes
  }

  private func flush(_ state: inout State, waitsForReader: Bool) {
    var turns = waitsForReader && !state.isStuck ? Self.waits.count : 0
    while !state.rest.isEmpty {
      switch descriptor.writeNow(state.rest) {
      case .wrote(let count):
        state.rest = state.rest.dropFirst(count)
        state.isStuck = false
      case .notNow:
        guard turns > 0 else { return }
        turns -= 1
        state.isStuck = turns == 0
        _ = descriptor.isWritable(within: Self.waits.milliseconds)
      case .failed: state.rest = []
      }
    }
  }
}

extension Substring {
  /// Whether the line begins with the name of its source, as a message about a receiver on the network does.
  fileprivate func names(_ source: String) -> Bool {
    hasPrefix(source + ":") || hasPrefix(source + " ")
  }
}
