import GPSDLocation
import Glibc
import LocationCore
import Synchronization

extension LibGPSSession {
  /// poll(2) does not count the time for which the machine was suspended; the clock does.
  private static let longestWait = Nanoseconds.seconds(1)

  /// Blocks until there is a line, the deadline, or word that the task was cancelled.
  func nextLine(until deadline: Moment?) throws(GPSDError) -> GPSDRead {
    guard let handle, let wakeup else { throw Self.notConnected }
    while true {
      // Where lines come all the time there is no wait that could be woken.
      if Task.isCancelled { return .ended }
      if let read = readBuffered() { return read }
      if let ending = incoming.withLock({ $0.ending }) { throw ending }
      // A call to the system costs more than a report: who may wait asks for word of more at once.
      var remaining: Nanoseconds?
      if let deadline {
        let now = clock.now
        guard now < deadline else {
          if receive(from: handle) { continue }
          return .timedOut(at: now)
        }
        remaining = min(now.nanoseconds(to: deadline), Self.longestWait)
      }
      wakeup.wait(for: handle.descriptor, timeout: remaining)
      _ = receive(from: handle)
    }
  }

  /// Takes what has come, be it the end. Returns `false` where nothing has.
  private func receive(from handle: GPSHandle) -> Bool {
    // What mentions the session is asked each time whether it runs on its executor.
    let clock = clock
    return incoming.withLock { $0.receive(from: handle.descriptor, by: clock) }
  }

  static func text(of number: CInt) -> String { unsafe String(cString: strerror(number)) }
}
