import Glibc
import LocationCore
import Synchronization

/// Waits for SIGHUP, SIGINT and SIGTERM on a separate thread.
///
/// The signals are blocked in all threads, so that they interrupt no system call and need no signal
/// handler.
final class TerminationSignals: Sendable {
  private let first = Mutex<ExitStatus?>(nil)

  /// The exit status for the first signal; `nil` if there was none.
  var status: ExitStatus? { first.withLock { $0 } }

  /// Blocks the signals in this thread and in those it starts from now on. SIGPIPE and SIGXFSZ are
  /// ignored, so that write(2) reports a closed pipe or a file size limit as an error.
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

  /// How long a cancelled run may take to end.
  private static let endTimeout = timespec(tv_sec: 0, tv_nsec: 800_000_000)

  /// Starts waiting for the signals.
  ///
  /// - Parameter handler: Called for the first signal. The process exits at the second signal, or
  ///   if it still runs after ``endTimeout``.
  func watch(_ handler: @escaping @Sendable () -> Void) {
    let isWatching = BlockingThread.start { [self] in
      let status = Self.wait()
      first.withLock { $0 = status }
      handler()
      Self.waitForAnother()
      _exit(status.rawValue)
    }
    // Without a thread, the signals must end the process directly.
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
    var timeout = endTimeout
    _ = unsafe sigtimedwait(&set, nil, &timeout)
  }

  private static func waited() -> sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in [SIGHUP, SIGINT, SIGTERM] { unsafe sigaddset(&set, number) }
    return set
  }
}
