import GPSDLocation
import Glibc
import LocationCore

extension LibGPSSession {
  /// How much is received at once. A backlog comes in larger pieces than a receiver's epoch.
  private static let chunk = 64 * 1024
  /// poll(2) does not count the time for which the machine was suspended; the clock does.
  private static let longestWait = Duration.seconds(1)

  /// Blocks until there is a line, the deadline, or word that the task was cancelled.
  func nextLine(until deadline: Moment?) throws(GPSDError) -> GPSDRead {
    guard let handle, let wakeup else { throw Self.notConnected }
    while true {
      switch framer.next() {
      case .line(let bytes): return .line(GPSDLine(bytes: bytes, received: received))
      case .discarded(let count): return .discarded(bytes: count, at: received)
      case nil: break
      }
      if cutOff > 0 {
        defer { cutOff = 0 }
        return .discarded(bytes: cutOff, at: received)
      }
      if let ending { throw ending }
      // Where lines come all the time there is no wait that could be woken.
      if Task.isCancelled { return .ended }
      // A call to the system costs more than a report. Who may wait asks for word of more at once,
      // and who may not does not look again where the last look took all there was.
      var remaining: Duration?
      if let deadline {
        let now = clock.now
        guard now < deadline else {
          defer { isDrained = false }
          if !isDrained, receive(from: handle) { continue }
          return .timedOut(at: now)
        }
        remaining = min(now.duration(to: deadline), Self.longestWait)
      }
      wakeup.wait(for: handle.descriptor, timeout: remaining)
      _ = receive(from: handle)
    }
  }

  /// Takes what has come, be it the end. Returns `false` where nothing has.
  private func receive(from handle: GPSHandle) -> Bool {
    var count = 0
    framer.fill(upTo: Self.chunk) { buffer in
      count = unsafe buffer.withUnsafeMutableBufferPointer { bytes, used in
        let free = unsafe UnsafeMutableBufferPointer(rebasing: bytes[used...])
        let count = unsafe recv(
          handle.descriptor, free.baseAddress, free.count, CInt(MSG_DONTWAIT))
        isDrained = count < free.count
        used += max(0, count)
        return count
      }
    }
    if count > 0 {
      received = clock.now
      return true
    }
    if count == 0 {
      end(by: GPSDError(.hungUp, "closed by gpsd"))
      return true
    }
    switch errno {
    case EAGAIN, EINTR: return false
    case let number: end(by: GPSDError(.cannotRead, number: number, Self.text(of: number)))
    }
    return true
  }

  private func end(by error: GPSDError) {
    ending = error
    cutOff = framer.finish()
  }

  static func text(of number: CInt) -> String { unsafe String(cString: strerror(number)) }
}
