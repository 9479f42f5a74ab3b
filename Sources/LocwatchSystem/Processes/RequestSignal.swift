import Glibc
import LocationCore

/// Waits for a signal that asks for something, on a separate thread, so that a slow disk delays neither
/// the run nor its end.
package final class RequestSignal: Sendable {
  /// Returns when the signal has come.
  private let wait: @Sendable () -> Void

  /// - Parameter wait: Returns when something else than a signal asks, as in a test.
  package init(waiting wait: @escaping @Sendable () -> Void) { self.wait = wait }

  /// Blocks the signal in this thread and in those it starts from now on; `nil` if the parent process
  /// ignores it.
  package init?(_ number: CInt) {
    guard !TerminationSignals.isIgnored(number) else { return nil }
    let awaited = sigset_t(of: [number])
    awaited.block()
    wait = { _ = awaited.wait() }
  }

  /// Starts waiting for the signal.
  ///
  /// - Parameter handler: Called for each signal. Those that come meanwhile count as one.
  package func observe(_ handler: @escaping @Sendable () -> Void) {
    _ = BlockingThread.start { [wait] in
      while true {
        wait()
        handler()
      }
    }
  }
}
