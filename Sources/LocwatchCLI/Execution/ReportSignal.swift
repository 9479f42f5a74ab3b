import Glibc
import LocationCore

/// Waits for SIGUSR1 on a separate thread, so that a slow disk delays neither the run nor its end.
final class ReportSignal: Sendable {
  private let awaited: sigset_t

  /// Blocks the signal in this thread and in those it starts from now on; `nil` if the parent process
  /// ignores it.
  init?() {
    guard !TerminationSignals.isIgnored(SIGUSR1) else { return nil }
    var awaited = sigset_t()
    unsafe sigemptyset(&awaited)
    unsafe sigaddset(&awaited, SIGUSR1)
    unsafe pthread_sigmask(SIG_BLOCK, &awaited, nil)
    self.awaited = awaited
  }

  /// Starts waiting for the signal.
  ///
  /// - Parameter handler: Called for each signal. Those that come meanwhile count as one.
  func watch(_ handler: @escaping @Sendable () -> Void) {
    _ = BlockingThread.start { [awaited] in
      while true {
        var set = awaited
        var number: CInt = 0
        unsafe sigwait(&set, &number)
        handler()
      }
    }
  }
}
