import Synchronization

/// A line on a terminal that goes again.
final class TransientLine: Sendable {
  /// Back to the line's beginning, and clear it (ECMA-48: EL).
  static let clearing = "\r\u{1b}[K"

  private let terminal: Descriptor
  private let isShown = Mutex(false)

  init(on terminal: Descriptor) { self.terminal = terminal }

  /// Shows the text in place of what is there.
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
