import Glibc

/// A pair of terminals: what is written here is read by who opens ``path``.
package final class PseudoTerminal: Sendable {
  /// This side. It is non-blocking, and closed by `deinit`: the other side then sees a hang-up.
  package let descriptor: CInt
  /// The other side's path, open to every user: gpsd drops its privileges.
  package let path: String

  /// - Parameter isRaw: Whether bytes pass as they are, as on a serial line; else as on a screen.
  package init(isRaw: Bool = true) throws(SystemError) {
    // Close on exec: a child that held this side would keep an unplugged receiver alive.
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemError("open /dev/ptmx") }
    self.descriptor = descriptor
    var lock: CInt = 0
    var number: CInt = 0
    guard ioctl(descriptor, setPseudoTerminalLock, &lock) == 0,
      ioctl(descriptor, getPseudoTerminalNumber, &number) == 0
    else { throw SystemError("ioctl /dev/ptmx") }
    path = "/dev/pts/\(number)"
    guard chmod(path, 0o666) == 0 else { throw SystemError("chmod \(path)") }
    // Opened and closed once, so that from now on POLLHUP means that nobody has it open.
    let other = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard other >= 0 else { throw SystemError("open \(path)") }
    defer { close(other) }
    guard isRaw else { return }
    var settings = termios()
    tcgetattr(other, &settings)
    cfmakeraw(&settings)
    guard tcsetattr(other, TCSANOW, &settings) == 0 else { throw SystemError("tcsetattr") }
  }

  deinit { close(descriptor) }

  /// Whether anybody has the other side open.
  package var isOpen: Bool {
    var request = pollfd(fd: descriptor, events: 0, revents: 0)
    poll(&request, 1, 0)
    return request.revents & Int16(POLLHUP) == 0
  }

  /// Writes all of `bytes`, or as much as the other side takes within `patience`.
  ///
  /// - Returns: Whether all were written. A terminal that no process has open takes nothing, like a serial line.
  package func write(_ bytes: [UInt8], patience: Duration = .milliseconds(200)) -> Bool {
    let deadline = ContinuousClock.now + patience
    var rest = bytes[...]
    while !rest.isEmpty {
      guard isOpen, ContinuousClock.now < deadline else { return false }
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) }
      if count < 0, errno != EAGAIN, errno != EINTR { return false }
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if !rest.isEmpty { poll(&request, 1, 10) }
    }
    return true
  }

  /// Takes in what the other side wrote, so that it never has to wait.
  package func drain() -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
      all += buffer[..<count]
    }
    return all
  }
}

// TIOCSPTLCK and TIOCGPTN are macros that Swift cannot import, and what would stand for them
// (posix_openpt, ptsname) is hidden from it.
private let setPseudoTerminalLock: UInt = 0x4004_5431
private let getPseudoTerminalNumber: UInt = 0x8004_5430
