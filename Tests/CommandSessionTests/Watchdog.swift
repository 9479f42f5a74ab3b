import Dispatch
import Glibc
import LocationCore

/// Ends the process if something is not done in time.
final class Watchdog: Sendable {
  private let isDone = DispatchSemaphore(value: 0)

  init(_ seconds: Double, _ message: String) {
    let isStarted = BlockingThread.start { [isDone] in
      guard isDone.wait(timeout: .now() + seconds) == .timedOut else { return }
      // A trap would write a trace of all threads after the message.
      _ = write(STDERR_FILENO, "\(message)\n", message.utf8.count + 1)
      _exit(1)
    }
    precondition(isStarted)
  }

  func end() { isDone.signal() }
}
