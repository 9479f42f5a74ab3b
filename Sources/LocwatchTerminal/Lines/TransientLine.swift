import LocwatchSystem
import Synchronization

/// A temporary line on a terminal.
final class TransientLine: Sendable {
  /// The control sequence that moves the cursor to the beginning of the line and clears the line (ECMA-48:
  /// CR, EL).
  static let clearing = "\r\u{1b}[K"

  private let terminal: Descriptor
  private let isShown = Mutex(false)

  init(on terminal: Descriptor) { self.terminal = terminal }

  /// Replaces the line by the text.
  func show(_ text: String) {
    isShown.withLock { isShown in
      isShown = true
      write(Self.clearing + text.cut(toDisplayWidth: max(1, terminal.size.columns - 1)))
    }
  }

  func clear() {
    isShown.withLock { isShown in
      if isShown { write(Self.clearing) }
      isShown = false
    }
  }

  private func write(_ text: String) { _ = terminal.write(Array(text.utf8)[...]) }
}
