import Glibc
import Synchronization
import Testing

@testable import GPSDLocation
@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// Faults 105 and 130.
@Suite struct LogTests {
  private let pipe: PipeEnds

  init() throws {
    pipe = try PipeEnds()
  }

  private func log(_ arguments: String...) throws -> Log {
    Log(try Options(arguments: arguments, environment: [:]), to: pipe.descriptor)
  }

  private var text: String { String(decoding: pipe.readAll(), as: UTF8.self) }

  /// Leaves no room in the pipe.
  private func fill() {
    let page = [UInt8](repeating: 0x2E, count: 4096)[...]
    while case .wrote = pipe.descriptor.write(page) {}
  }

  @Test func `A message names its source once`() throws {
    let log = try log().named("phone")
    for text in ["phone is away", "phone: gone", "phones", "the phone is away"] as [Message] {
      log.error(text)
    }
    #expect(
      text == """
        locwatch: phone is away
        locwatch: phone: gone
        locwatch: phone: phones
        locwatch: phone: the phone is away

        """)
  }

  @Test func `A message on a screen is not written to a terminal, but elsewhere it is`() throws {
    let terminal = try PseudoTerminalEnds()
    let onTerminal = Log(Options(), to: terminal.terminal)
    let onPipe = Log(Options(), to: pipe.descriptor)
    let shown = Mutex(0)
    for isShown in [true, false] {
      for log in [onTerminal, onPipe] {
        log.show { _ in
          shown.withLock { $0 += 1 }
          return isShown
        }
        log.error("x")
      }
      #expect(terminal.takeWrittenText() == (isShown ? "" : "locwatch: x\r\n"))
      #expect(text == "locwatch: x\n")
    }
    #expect(shown.withLock(\.self) == 4)
  }

  @Test func `Messages that find no room are dropped, and counted in the next one`() throws {
    let log = try log("-v")
    fill()
    log.detail("one")
    log.advise("two")
    log.named("boat").error("three")
    #expect(!text.contains("locwatch"))
    log.detail("four")
    #expect(
      text == """
        locwatch: messages dropped because stderr was blocked: 3
        locwatch: four

        """)
    log.detail("five")
    #expect(text == "locwatch: five\n")
    // What cannot be said then is counted with the others.
    fill()
    log.detail("six")
    log.detail("seven")
    _ = pipe.read(upTo: 65_536)
    fill()
    log.detail("eight")
    _ = text
    log.detail("nine")
    #expect(
      text == "locwatch: messages dropped because stderr was blocked: 3\nlocwatch: nine\n")
  }

  @Test func `A message that was begun is finished before the next one`() throws {
    let log = try log("-v")
    fill()
    #expect(pipe.read(upTo: 4096).count == 4096)
    let line = String(repeating: "x", count: 1000)
    log.detail(Message(lines: Array(repeating: "\(line)", count: 10)))
    // The rest has no room.
    log.detail("one")
    let first = text
    #expect(first.utf8.count == 65_536)
    log.detail("two")
    let message = String(first.dropFirst(61_440)) + text
    #expect(
      message == String(repeating: "locwatch: \(line)\n", count: 10)
        + "locwatch: messages dropped because stderr was blocked: 1\nlocwatch: two\n")
  }

  @Test func `A line has up to 1,024 bytes of text, and an empty one stays`() throws {
    let log = try log()
    for (count, isWhole) in [(1024, true), (1025, false)] {
      let word = String(repeating: "x", count: count)
      log.error("\(word)")
      #expect((text == "locwatch: \(word)\n") == isWhole)
    }
    log.error("a\n\nb")
    #expect(text == "locwatch: a\nlocwatch: \nlocwatch: b\n")
  }

  @Test func `An error waits a quarter of a second for a reader, until one wait is in vain`() throws
  {
    let log = try log("-v")
    fill()
    let start = ContinuousClock.now
    log.error("one")
    #expect(ContinuousClock.now - start >= .milliseconds(250))
    // If each of these waited, that would be 38 s.
    let next = ContinuousClock.now
    for _ in 0..<50 {
      log.detail("two")
      log.advise("three")
      log.named("boat").error("four")
    }
    #expect(ContinuousClock.now - next < .seconds(10))
    _ = pipe.readAll()
    log.error("five")
    fill()
    let last = ContinuousClock.now
    log.error("six")
    #expect(ContinuousClock.now - last >= .milliseconds(250))
  }

  @Test func `Without a reader nothing is logged or counted`() throws {
    let log = try log("-v")
    pipe.closeReader()
    log.error("one")
    log.detail("two")
  }
}

@Suite struct RunStatisticsTests {
  private let statistics = RunStatistics()

  @Test func `A source counts once it has connected, until all counts are reset`() {
    let source = statistics.ofSource("a")
    source.count { $0.connections += 2 }
    statistics.ofSource("c").count { $0.badLines += 1 }
    statistics.ofSource("c").record(receiver: "/dev/1", isRequested: true)
    #expect(statistics.sourceCount == 1 && statistics.counts.connections == 2)
    statistics.reset()
    #expect(statistics.sourceCount == 0 && statistics.receivers == [])
    #expect(statistics.counts == GPSDStatistics.Counts() && source === statistics.ofSource("a"))
  }
}
