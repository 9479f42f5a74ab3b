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

  /// What was written to the terminal since the last look; empty if nothing was.
  ///
  /// The system passes a text on later, and in pieces: the end of a line is one of its own. A byte that is
  /// written after everything else shows that all of it has come.
  package func takeWrittenText() -> String {
    let end: UInt8 = 0
    _ = write(terminal.number, [end], 1)
    var text: [UInt8] = []
    while text.last != end {
      Self.waitUntilReadable(master)
      text += takeBytes()
    }
    return String(decoding: text.dropLast(), as: UTF8.self)
  }

  private static func waitUntilReadable(_ descriptor: CInt) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    precondition(poll(&request, 1, 10_000) == 1, "nothing can be read after 10 s")
  }

  /// What the system has passed on since the last look; empty if nothing has come.
  package func takeText() -> String { String(decoding: takeBytes(), as: UTF8.self) }

  private func takeBytes() -> ArraySlice<UInt8> {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(master, &bytes, bytes.count)
    return bytes.prefix(max(0, count))
  }
}
