import Glibc
package import LocwatchSystem

/// A pseudo-terminal that does not control this process.
package final class PseudoTerminalEnds: Sendable {
  package let terminal: Descriptor
  private let master: CInt

  package init(rows: UInt16 = 24, columns: UInt16 = 80) throws {
    var (master, slave): (CInt, CInt) = (-1, -1)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &slave, nil, nil, &size) == 0 else { throw OutputError.closed }
    self.master = master
    terminal = try Descriptor(appendingTo: "/proc/self/fd/\(slave)")
    close(slave)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
  }

  deinit { close(master) }

  /// Types on the terminal, and waits until the system has passed the keys on.
  package func type(_ keys: String) {
    _ = write(master, keys, keys.utf8.count)
    Self.waitUntilReadable(terminal.number)
  }

  /// What was written to the terminal since the last look, once the system has passed it on.
  package func takeWrittenText() -> String {
    Self.waitUntilReadable(master)
    return takeText()
  }

  private static func waitUntilReadable(_ descriptor: CInt) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    precondition(poll(&request, 1, 10_000) == 1, "nothing can be read after 10 s")
  }

  /// What was written to the terminal since the last look; empty if nothing was.
  package func takeText() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(master, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
