import Dispatch
import LocwatchSystem
import Synchronization

/// A signal that asks a run for something.
final class PlayedSignal: Sendable {
  private let sent = DispatchSemaphore(value: 0)
  private let handled = DispatchSemaphore(value: 0)

  var request: RequestSignal {
    let isWaiting = Mutex(false)
    return RequestSignal { [sent, handled] in
      let wasHandled = isWaiting.withLock { isWaiting in
        defer { isWaiting = true }
        return isWaiting
      }
      if wasHandled { handled.signal() }
      sent.wait()
    }
  }

  /// Returns when the signal has been handled.
  func send() {
    sent.signal()
    handled.wait()
  }
}
