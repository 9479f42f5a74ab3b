import Foundation
import Glibc
import LocationFormats
@testable import LocwatchCLI
import Testing

/// The screen of a view on a pseudo-terminal.
@Suite struct FullScreenTests {
  private let master: CInt
  private let terminal: Descriptor

  init() throws {
    var (master, slave): (CInt, CInt) = (-1, -1)
    var size = winsize(ws_row: 33, ws_col: 99, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&master, &slave, nil, nil, &size) == 0)
    self.master = master
    terminal = try Descriptor(appendingTo: "/proc/self/fd/\(slave)")
    close(slave)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
  }

  private var flags: tcflag_t {
    var mode = termios()
    tcgetattr(terminal.number, &mode)
    return mode.c_lflag
  }

  private func written() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(master, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test func `shows itself without echo and lines, and restores the terminal once`() {
    defer { close(master) }
    let screen = FullScreen(on: terminal)
    #expect(screen.size == (99, 33))
    let before = flags
    #expect(before & tcflag_t(ECHO | ICANON | IEXTEN) == tcflag_t(ECHO | ICANON | IEXTEN))
    var output = TextBuffer()
    screen.show(&output)
    #expect(output.string == FullScreen.entering)
    #expect(flags == before & ~tcflag_t(ECHO | ICANON | IEXTEN))
    #expect(written() == "")
    screen.hide()
    #expect(flags == before && written() == FullScreen.leaving)
    screen.hide()
    #expect(written() == "")
    screen.show(&output)
    screen.forget()
    screen.hide()
    #expect(written() == "" && flags == before & ~tcflag_t(ECHO | ICANON | IEXTEN))
  }

  @Test func `Signals that have arrived are read one by one`() throws {
    defer { close(master) }
    // Of the thread that sends them, because others of the process may take those of the process.
    var (set, old) = (sigset_t(of: [SIGWINCH, SIGCONT]), sigset_t())
    pthread_sigmask(SIG_BLOCK, &set, &old)
    defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
    let queue = try #require(SignalQueue([SIGWINCH, SIGCONT]))
    #expect(queue.next() == nil)
    pthread_kill(pthread_self(), SIGWINCH)
    #expect(queue.next() == SIGWINCH)
    #expect(queue.next() == nil)
  }
}
