import CLinux
import Glibc
import LocationCore
import Synchronization

/// Waits for SIGHUP, SIGINT and SIGTERM on a separate thread.
///
/// A signal that the parent process ignores stays ignored, as `nohup` and the background jobs of a
/// script expect. The others are blocked in all threads, so that they interrupt no system call and
/// need no signal handler.
package final class TerminationSignals: Sendable {
  /// How long a cancelled run may take to end.
  private static let endTimeout = timespec(tv_sec: 0, tv_nsec: 800_000_000)

  private let awaited: sigset_t
  private let first = Mutex<ExitStatus?>(nil)

  /// The exit status for the first signal; `nil` if there was none.
  package var status: ExitStatus? { first.withLock { $0 } }

  /// Blocks the signals in this thread and in those it starts from now on. SIGPIPE and SIGXFSZ are
  /// ignored, so that write(2) reports a closed pipe or a file size limit as an error.
  ///
  /// - Parameters:
  ///   - endsAtHangUp: Whether SIGHUP ends the run.
  ///   - others: Other signals to block, because something else waits for them.
  package init(endsAtHangUp: Bool, blocking others: [CInt]) {
    let ends = ((endsAtHangUp ? [SIGHUP] : []) + [SIGINT, SIGTERM]).filter { !Self.isIgnored($0) }
    awaited = sigset_t(of: ends)
    sigset_t(of: ends + others.filter { !Self.isIgnored($0) }).block()
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Starts waiting for the signals.
  ///
  /// - Parameter handler: Called for the first signal. Later signals have no effect, because GNU
  ///   timeout and a terminal can send the same one twice: the run ends in order, and the process
  ///   exits if it still runs after ``endTimeout``.
  package func observe(_ handler: @escaping @Sendable () -> Void) {
    let isWatching = BlockingThread.start { [self] in
      let status = wait()
      first.withLock { $0 = status }
      handler()
      var timeout = Self.endTimeout
      _ = unsafe nanosleep(&timeout, nil)
      lw_screen_restore()
      _exit(status.rawValue)
    }
    // Without a thread, the signals must end the process directly.
    if !isWatching { unblock() }
  }

  private func wait() -> ExitStatus {
    switch awaited.wait() {
    case SIGHUP: .hangUp
    case SIGINT: .interrupted
    default: .terminated
    }
  }

  private func unblock() {
    var set = awaited
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  static func isIgnored(_ number: CInt) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

extension sigset_t {
  package init(of numbers: [CInt]) {
    self.init()
    unsafe sigemptyset(&self)
    for number in numbers { unsafe sigaddset(&self, number) }
  }

  /// Blocks the signals in this thread and in those it starts from now on.
  package func block() {
    var set = self
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for one of the signals, which must be blocked, and returns its number.
  package func wait() -> CInt {
    var set = self
    var number: CInt = 0
    unsafe sigwait(&set, &number)
    return number
  }
}
