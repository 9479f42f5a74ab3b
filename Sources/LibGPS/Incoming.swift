import GPSDLocation
import Glibc
import LocationCore

/// What came from gpsd and was not handed out yet.
struct Incoming: Sendable {
  /// How much is received at once. A backlog comes in larger pieces than a receiver's epoch.
  private static let chunk = 64 * 1024

  private var framer = LineFramer()
  private var received: Moment?
  /// What ended the connection; `nil` while it stands.
  private(set) var ending: GPSDError?
  /// The bytes of a line that the end of the connection cut off.
  private var cutOff = 0

  /// The next line of what came.
  mutating func next() -> GPSDRead? {
    switch framer.next() {
    case .line(let bytes): return .line(GPSDLine(bytes: bytes, received: received))
    case .discarded(let count): return .discarded(bytes: count, at: received)
    case nil: break
    }
    guard cutOff > 0 else { return nil }
    defer { cutOff = 0 }
    return .discarded(bytes: cutOff, at: received)
  }

  /// Takes what has come, be it the end. Returns `false` where nothing has.
  mutating func receive(from descriptor: CInt, by clock: LocationClock) -> Bool {
    let count = unsafe framer.receive(upTo: Self.chunk) {
      unsafe recv(descriptor, $0, $1, CInt(MSG_DONTWAIT))
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
    case let number: end(by: GPSDError(.cannotRead, number: number, LibGPSSession.text(of: number)))
    }
    return true
  }

  private mutating func end(by error: GPSDError) {
    ending = error
    cutOff = framer.finish()
  }
}
