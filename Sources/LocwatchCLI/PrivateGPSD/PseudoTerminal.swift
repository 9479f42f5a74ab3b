import Glibc

/// A pair of terminals. What is written here is read by who opens ``path``.
@safe final class PseudoTerminal: Sendable {
  /// This side, which never blocks.
  let descriptor: CInt
  /// The path of the other side, which every user may open: gpsd gives up root.
  let path: String

  // TIOCSPTLCK and TIOCGPTN are macros that Swift cannot import, and it hides posix_openpt and ptsname.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  init() throws(Failure) {
    descriptor = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    var lock: CInt = 0
    var number: CInt = 0
    guard descriptor >= 0, unsafe ioctl(descriptor, Self.setLock, &lock) == 0,
      unsafe ioctl(descriptor, Self.getNumber, &number) == 0
    else { throw Failure(.fault, "cannot create a pseudo-terminal: \(systemText(errno))") }
    path = "/dev/pts/\(number)"
    _ = unsafe chmod(path, 0o666)
    // Bytes pass as they are, as on a serial line. From now on, POLLHUP says that nobody has the other
    // side open.
    let other = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { _ = close(other) }
    var mode = termios()
    unsafe tcgetattr(other, &mode)
    unsafe cfmakeraw(&mode)
    unsafe tcsetattr(other, TCSANOW, &mode)
  }

  deinit { _ = close(descriptor) }

  /// Whether anybody has the other side open.
  var isOpen: Bool {
    var request = pollfd(fd: descriptor, events: 0, revents: 0)
    unsafe poll(&request, 1, 0)
    return request.revents & Int16(POLLHUP) == 0
  }

  /// How many bytes the other side has not read.
  var unread: Int {
    let other = unsafe open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard other >= 0 else { return 0 }
    defer { _ = close(other) }
    var count: CInt = 0
    return unsafe ioctl(other, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Writes as many bytes as there is room for, and returns their number; `nil` if the other side is
  /// gone.
  func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
    }
    return count >= 0 ? count : errno == EAGAIN || errno == EINTR ? 0 : nil
  }
}
