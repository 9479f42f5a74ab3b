import Foundation
import Glibc
import LocationFormats
import Testing

@testable import LocationText
@testable import LocwatchSystem
@testable import LocwatchTerminal

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
    #expect(ends.takeWrittenText() == "")
    screen.hide()
    #expect(flags == before && ends.takeWrittenText() == FullScreen.leaving)
    screen.hide()
    #expect(ends.takeWrittenText() == "")
    screen.show(&output)
    screen.forget()
    screen.hide()
    #expect(ends.takeWrittenText() == "" && flags == before & ~tcflag_t(ECHO | ICANON | IEXTEN))
  }

  @Test func `shows nothing if the output is not a terminal`() throws {
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

  @Test func `reads no keys without a keyboard, or after it is gone`() throws {
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
        == "--view needs a terminal that can move its cursor, but TERM says it cannot")
    #expect(
      FullScreen.obstacle(on: try PipeEnds().descriptor, environment)?.message
        == "--view needs a terminal, but stdout is not one")
  }

  @Test func `needs the terminal that it was started on`() {
    #expect(
      FullScreen.obstacle(on: terminal, Environment(["TERM": "xterm"]))?.message
        == "--view needs the terminal that it was started on, but stdout is another")
  }

  @Test func `Signals that have arrived are read one by one`() throws {
    // To the sending thread, because other threads may take signals to the process.
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
