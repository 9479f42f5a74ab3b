import Foundation
import Glibc
import Synchronization

/// A pseudo-terminal of any size, whose output is collected on a thread.
final class FuzzTerminal: Sendable {
  /// The system has no terminal left.
  struct NoTerminal: Error {}

  /// The path of the terminal.
  let path: String
  private let master: CInt
  /// Kept open, because a terminal that no process has open ends its output.
  private let terminal: CInt
  private let output = Mutex<[UInt8]>([])
  private let isOver = Mutex(false)
  private let isRead = DispatchSemaphore(value: 0)

  init(columns: UInt16, rows: UInt16) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    // TIOCSPTLCK and TIOCGPTN, which are not imported.
    var (lock, number): (CInt, CInt) = (0, 0)
    guard master >= 0, ioctl(master, 0x4004_5431, &lock) == 0,
      ioctl(master, 0x8004_5430, &number) == 0
    else { throw NoTerminal() }
    path = "/dev/pts/\(number)"
    terminal = open(path, O_RDWR | O_NOCTTY)
    guard terminal >= 0 else { throw NoTerminal() }
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    Thread.detachNewThread { [self] in
      while read() || !isOver.withLock(\.self) {}
      isRead.signal()
    }
  }

  deinit {
    close(terminal)
    close(master)
  }

  /// Returns all that was written. Nothing may be written afterwards.
  func finish() -> [UInt8] {
    isOver.withLock { $0 = true }
    isRead.wait()
    return output.withLock(\.self)
  }

  /// Reads what there is. Returns whether there was anything.
  private func read() -> Bool {
    var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 10) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(master, &bytes, bytes.count)
    guard count > 0 else { return false }
    output.withLock { $0 += bytes[..<count] }
    return true
  }
}
