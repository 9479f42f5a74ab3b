import Foundation
import Glibc
import LocationFormats
@testable import LocwatchCLI
import Testing

/// The screen of a view on a pseudo-terminal. A process shows one at a time.
@Suite(.serialized) struct FullScreenTests {
  private let ends: PseudoTerminalEnds
  private var terminal: Descriptor { ends.terminal }

  init() throws { ends = try PseudoTerminalEnds(rows: 33, columns: 99) }

  private var flags: tcflag_t {
    var mode = termios()
    tcgetattr(terminal.number, &mode)
    return mode.c_lflag
  }

  @Test func `shows itself without echo and lines, and restores the terminal once`() {
    let screen = FullScreen(on: terminal)
    #expect(screen.size == (99, 33))
    let before = flags
    #expect(before & tcflag_t(ECHO | ICANON | IEXTEN) == tcflag_t(ECHO | ICANON | IEXTEN))
    var output = TextBuffer()
    screen.show(&output)
    #expect(output.string == FullScreen.entering)
    #expect(flags == before & ~tcflag_t(ECHO | ICANON | IEXTEN))
    #expect(ends.takeText() == "")
    screen.hide()
    #expect(flags == before && ends.takeWrittenText() == FullScreen.leaving)
    screen.hide()
    #expect(ends.takeText() == "")
    screen.show(&output)
    screen.forget()
    screen.hide()
    #expect(ends.takeText() == "" && flags == before & ~tcflag_t(ECHO | ICANON | IEXTEN))
  }

  @Test func `shows nothing on what is no terminal`() throws {
    let screen = FullScreen(on: try PipeEnds().descriptor)
    var output = TextBuffer()
    screen.show(&output)
    #expect(output.string == "")
  }

  @Test func `reads the keys that were typed, without waiting for more`() throws {
    let screen = FullScreen(on: terminal, keyboard: "/proc/self/fd/\(terminal.number)")
    var output = TextBuffer()
    screen.show(&output)
    defer { screen.hide() }
    #expect(screen.keyboard != nil)
    #expect(screen.readKeys() == [])
    ends.type("q\u{1b}[A")
    #expect(screen.readKeys() == Array("q\u{1b}[A".utf8))
    #expect(screen.readKeys() == [])
  }

  @Test func `reads no keys where there is no keyboard, or not any more`() throws {
    let none = FullScreen(on: terminal, keyboard: "/dev/null/none")
    #expect(none.keyboard == nil && none.readKeys() == nil)
    let end = FullScreen(on: terminal, keyboard: "/dev/null")
    #expect(end.keyboard != nil && end.readKeys() == nil)
    let folder = FullScreen(on: terminal, keyboard: "/dev")
    #expect(folder.keyboard != nil && folder.readKeys() == nil)
  }

  @Test(arguments: [nil, "", "dumb"])
  func `needs a terminal that moves its cursor`(name: String?) throws {
    let environment = Environment(name.map { ["TERM": $0] } ?? [:])
    #expect(
      FullScreen.obstacle(on: terminal, environment)?.message
        == "--view needs a terminal that can move its cursor, and TERM says it cannot")
    #expect(
      FullScreen.obstacle(on: try PipeEnds().descriptor, environment)?.message
        == "--view needs a terminal, and the output is none")
  }

  @Test func `needs the terminal that it was started on`() {
    #expect(
      FullScreen.obstacle(on: terminal, Environment(["TERM": "xterm"]))?.message
        == "--view needs the terminal that it was started on, and the output is another")
  }

  @Test func `Signals that have arrived are read one by one`() throws {
    // Of the thread that sends them, because others of the process may take those of the process.
    var (set, old) = (sigset_t(of: [SIGWINCH, SIGCONT]), sigset_t())
    pthread_sigmask(SIG_BLOCK, &set, &old)
    defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
    let queue = try #require(SignalQueue([SIGWINCH, SIGCONT]))
    #expect(queue.next() == nil)
    pthread_kill(pthread_self(), SIGWINCH)
    #expect(queue.next() == SIGWINCH)
    #expect(queue.next() == nil)
    #expect(FullScreen.signals == [SIGWINCH, SIGTSTP, SIGCONT])
  }
}

/// A pseudo-terminal that does not control this process.
final class PseudoTerminalEnds: Sendable {
  let terminal: Descriptor
  private let master: CInt

  init(rows: UInt16 = 24, columns: UInt16 = 80) throws {
    var (master, slave): (CInt, CInt) = (-1, -1)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&master, &slave, nil, nil, &size) == 0)
    self.master = master
    terminal = try Descriptor(appendingTo: "/proc/self/fd/\(slave)")
    close(slave)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
  }

  deinit { close(master) }

  /// Types on the terminal, and waits until the system has passed the keys on.
  func type(_ keys: String) {
    _ = write(master, keys, keys.utf8.count)
    Self.waitUntilReadable(terminal.number)
  }

  /// What was written to the terminal since the last look, once the system has passed it on.
  func takeWrittenText() -> String {
    Self.waitUntilReadable(master)
    return takeText()
  }

  private static func waitUntilReadable(_ descriptor: CInt) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&request, 1, 10_000) == 1)
  }

  /// What was written to the terminal since the last look; empty if nothing was.
  func takeText() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(master, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
