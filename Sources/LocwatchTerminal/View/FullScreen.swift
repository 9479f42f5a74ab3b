import CLinux
import Glibc
import LocationCore
package import LocationText
package import LocwatchSystem

/// A terminal that a ``View`` uses alone.
package protocol ViewScreen: Sendable {
  /// The descriptor to which frames are written.
  var terminal: Descriptor { get }
  /// The descriptor from which keys are read; `nil` if there is no terminal to read from.
  var keyboard: CInt? { get }
  /// The size of the terminal, in cells.
  var size: (columns: Int, rows: Int) { get }
  /// Whether this process is in the foreground of the terminal.
  var isInForeground: Bool { get }

  /// Sets the mode of the terminal, and appends the sequence that shows the screen.
  func show(_ output: inout TextBuffer)
  /// Restores the terminal.
  func hide()
  /// Forgets that the screen is shown, because another program has the terminal.
  func forget()
  /// Stops the process, as ctrl-Z does. Returns when the process continues.
  func stop()
  /// Returns the bytes of the pressed keys; `nil` if no more keys can follow.
  func readKeys() -> [UInt8]?
}

/// The alternate screen of a terminal, without a cursor and without an echo of the keys.
///
/// Whoever shows it must hide it again. If the process crashes before that, a signal handler hides it.
package final class FullScreen: ViewScreen {
  /// The alternate screen, without a cursor and without line wrap: the last cell of the last row must not
  /// scroll.
  package static let entering = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l"
  static let leaving = "\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

  /// The signals that the view waits for. They must be blocked in all threads.
  package static let signals = [SIGWINCH, SIGTSTP, SIGCONT]

  package let terminal: Descriptor
  package let keyboard: CInt?

  package var size: (columns: Int, rows: Int) { terminal.size }
  package var isInForeground: Bool { terminal.isInForeground }

  /// Returns why an output cannot show a view; `nil` if it can.
  package static func obstacle(
    on output: Descriptor = .standardOutput, _ environment: Environment
  ) -> UsageError? {
    guard output.kind == .terminal else {
      return UsageError("--view needs a terminal, but stdout is not one")
    }
    guard environment["TERM", default: ""] != "", environment["TERM"] != "dumb" else {
      return UsageError("--view needs a terminal that can move its cursor, but TERM says it cannot")
    }
    // For the terminal of another session, nothing shows whether it may be used.
    guard output.isOfThisSession else {
      return UsageError(
        "--view needs the terminal that it was started on, but stdout is another")
    }
    return nil
  }

  /// The path of the terminal on which the user types: standard input, or else the terminal of the session.
  private static var keyboardPath: String {
    isatty(STDIN_FILENO) == 1 ? "/proc/self/fd/\(STDIN_FILENO)" : "/dev/tty"
  }

  /// - Parameter keyboard: The path of the terminal from which keys are read.
  package init(on terminal: Descriptor, keyboard path: String = FullScreen.keyboardPath) {
    self.terminal = terminal
    let number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    keyboard = number >= 0 ? number : nil
  }

  deinit { if let keyboard { _ = close(keyboard) } }

  package func show(_ output: inout TextBuffer) {
    var mode = termios()
    guard unsafe tcgetattr(terminal.number, &mode) == 0 else { return }
    let text = Array(Self.leaving.utf8)
    unsafe text.withUnsafeBytes {
      unsafe lw_screen_begin(
        terminal.number, &mode, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    mode.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN)
    unsafe tcsetattr(terminal.number, TCSANOW, &mode)
    output.append(text: Self.entering)
  }

  package func hide() { lw_screen_restore() }

  package func forget() { lw_screen_end() }

  package func stop() { lw_stop() }

  package func readKeys() -> [UInt8]? {
    guard let keyboard else { return nil }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(keyboard, &bytes, bytes.count)
    if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
    return count == 0 ? nil : Array(bytes[..<count])
  }
}
