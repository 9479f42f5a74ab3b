import Glibc
import LocationCore
import Synchronization

/// Waits, on a thread of its own, for SIGHUP, SIGINT and SIGTERM.
///
/// The signals are blocked everywhere, so that no system call is cut short by them and nothing needs
/// to be done in a signal handler.
final class TerminationSignals: Sendable {
  private let first = Mutex<ExitStatus?>(nil)

  /// What the first signal makes of the exit status; `nil` as long as there was none.
  var status: ExitStatus? { first.withLock { $0 } }

  /// Blocks the signals in this thread and those it starts from now on. SIGPIPE and SIGXFSZ are
  /// ignored: a closed pipe and a file that may not grow are errors of write(2).
  static func block() {
    var set = waited()
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  private static func unblock() {
    var set = waited()
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// How long a run may take to end by itself.
  private static let patience = timespec(tv_sec: 0, tv_nsec: 800_000_000)

  /// - Parameter handler: Called for the first signal. The process ends at once at the second one,
  ///   or where it is still there after ``patience``: whatever blocks it then will not stop to.
  func watch(_ handler: @escaping @Sendable () -> Void) {
    let isWatching = BlockingThread.start { [self] in
      let status = Self.wait()
      first.withLock { $0 = status }
      handler()
      Self.waitForAnother()
      _exit(status.rawValue)
    }
    // Without a thread for them they end the process as they always did.
    if !isWatching { Self.unblock() }
  }

  private static func wait() -> ExitStatus {
    var set = waited()
    var number: CInt = 0
    unsafe sigwait(&set, &number)
    return switch number {
    case SIGHUP: .hangUp
    case SIGINT: .interrupted
    default: .terminated
    }
  }

  private static func waitForAnother() {
    var set = waited()
    var patience = patience
    _ = unsafe sigtimedwait(&set, nil, &patience)
  }

  private static func waited() -> sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in [SIGHUP, SIGINT, SIGTERM] { unsafe sigaddset(&set, number) }
    return set
  }
}
