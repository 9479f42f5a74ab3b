import CLinux
import Glibc
import LocwatchSystem

/// Signals that the event loop can wait for.
@safe final class SignalQueue: Sendable {
  let number: CInt

  /// - Parameter signals: Signals that are blocked in all threads.
  init?(_ signals: [CInt]) {
    var set = sigset_t(of: signals)
    number = unsafe lw_signals_open(&set)
    guard number >= 0 else { return nil }
  }

  deinit { if number >= 0 { _ = close(number) } }

  /// Returns the next signal that has arrived; `nil` if there is none.
  func next() -> CInt? {
    let signal = lw_signals_read(number)
    return signal > 0 ? signal : nil
  }
}
