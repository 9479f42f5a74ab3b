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

  @Test func `A message has no user info of a URL, nor has its source`() throws {
    let log = try log("-v")
    log.error("'ntrip://user:s3cret@host' is odd\nboth")
    log.named("tcp://user:s3cret@host").detail("tcp://phone:1")
    log.advise("see ntrip://s3cret@x")
    #expect(
      text == """
        locwatch: 'ntrip://***********@host' is odd
        locwatch: both
        locwatch: tcp://***********@host: tcp://phone:1
        locwatch: see ntrip://******@x

        """)
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

  @Test func `A text from outside begins no line, and a muted log says nothing`() throws {
    let log = try log("-v")
    log.error("gpsd says \("x\nlocwatch: Unlock it: sudo sh")")
    log.muted().error("x")
    log.muted().detail("x")
    #expect(text == "locwatch: gpsd says x\\u{a}locwatch: Unlock it: sudo sh\n")
  }

  @Test func `A screen shows no user info either`() throws {
    let log = Log(Options(), to: pipe.descriptor)
    let shown = Mutex<[String]>([])
    log.show { message in
      shown.withLock { $0.append(message) }
      return true
    }
    log.error("ntrip://user:s3cret@host")
    #expect(shown.withLock(\.self) == ["ntrip://***********@host"])
  }

  @Test func `Steps are logged with --verbose, advice without --quiet, and errors always`() throws {
    for (arguments, messages) in [
      ([], "advice,error"), (["-v"], "step,advice,error"), (["-q"], "error"),
    ] {
      let log = Log(
        try Options(arguments: arguments, environment: [:]), to: pipe.descriptor)
      let named = log.named("boat")
      #expect(log.isVerbose == arguments.contains("-v") && named.isVerbose == log.isVerbose)
      for (log, prefix) in [(log, ""), (named, "boat: ")] {
        log.detail("step")
        log.advise("advice")
        log.error("error")
        #expect(
          text
            == messages.split(separator: ",").map { "locwatch: \(prefix)\($0)\n" }.joined())
      }
    }
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

  @Test func `A line is cut if it is too long`() throws {
    try log().error("\(String(repeating: "x", count: 5000))\ny")
    let lines = text.split(separator: "\n")
    #expect(lines.count == 2 && lines[1] == "locwatch: y")
    #expect((1000...1100).contains(lines[0].utf8.count))
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

  @Test func `The counts of all sources are added up`() {
    statistics.ofSource("a").count { $0.badLines += 2 }
    statistics.ofSource("b").count { $0.badLines += 3 }
    statistics.ofSource("a").count { $0.badLines += 1 }
    statistics.ofSource(nil).count { $0.badLines += 10 }
    #expect(statistics.ofSource("a") === statistics.ofSource("a"))
    #expect(statistics.ofSource(nil) === statistics.ofSource(nil))
    #expect(statistics.ofSource("a") !== statistics.ofSource("b"))
    #expect(statistics.counts.badLines == 16)
    #expect(statistics.counts(of: "a").badLines == 3)
    #expect(statistics.counts(of: nil).badLines == 10)
    #expect(statistics.sourceCount == 0)
    #expect(statistics.receivers == [])
  }

  @Test func `The best of several sources has the counts of all`() {
    statistics.ofSource("a").count { $0.badLines += 2 }
    statistics.ofSource("b").count { $0.badLines += 3 }
    #expect(statistics.counts(of: nil).badLines == 5)
  }

  @Test func `The receivers are those of the sources by their names, each of them once`() {
    statistics.ofSource("b").record(receiver: "/dev/1", isRequested: false)
    statistics.ofSource("a").record(receiver: "/dev/2", isRequested: false)
    statistics.ofSource("a").record(receiver: "/dev/1", isRequested: true)
    statistics.ofSource("b").record(receiver: "/dev/3", isRequested: false)
    #expect(statistics.receivers == ["/dev/2", "/dev/1", "/dev/3"])
  }

  @Test func `A source counts once it has connected, and counts return to what they were`() {
    let beginning = statistics.save()
    statistics.ofSource("a").count { $0.connections += 2 }
    let middle = statistics.save()
    statistics.ofSource("b").count { $0.connections += 1 }
    statistics.ofSource("c").count { $0.badLines += 1 }
    statistics.ofSource("c").record(receiver: "/dev/1", isRequested: true)
    #expect(statistics.sourceCount == 2 && statistics.counts.connections == 3)
    let source = statistics.ofSource("a")
    source.count { $0.badLines += 3 }
    middle()
    #expect(statistics.sourceCount == 1 && statistics.counts.connections == 2)
    #expect(statistics.counts.badLines == 0 && source === statistics.ofSource("a"))
    beginning()
    #expect(statistics.sourceCount == 0 && statistics.receivers == [])
    #expect(statistics.counts == GPSDStatistics.Counts())
  }

  @Test func `The lost lines are counted on request`() {
    #expect(statistics.gaps.lostLines == 0)
    let count = Mutex(7)
    statistics.countGaps { RecordingGaps(lostLines: count.withLock(\.self)) }
    #expect(statistics.gaps.lostLines == 7)
    count.withLock { $0 = 8 }
    #expect(statistics.gaps.lostLines == 8)
  }

  @Test func `A source is counted by its name if it is one of several`() {
    var options = Options()
    options.source = "boat"
    #expect(options.style().member == nil)
    #expect(options.style(isOfFleet: true).member == "boat")
  }

  @Test func `The message has lines for what was left out and not understood, if there is any`() {
    var counts = RunCounts(
      reports: statistics.counts, sources: 3,
      output: SourceWatch.Counts(fixes: 4, drops: 5, unwritten: 6),
      gaps: RecordingGaps(lostLines: 7))
    let message = counts.message
    counts.linesLeftOut = 8
    #expect(counts.message == "\(message)\nlines of too many sources: 8")
    counts.linesLeftOut = 1
    #expect(counts.message == "\(message)\nlines of too many sources: 1")
    counts.linesLeftOut = 0
    #expect(counts.message == message)
    counts.strayLines = 3
    #expect(counts.message.text.contains("\nbad lines: 3\n"))
    counts.strayLines = 0
    counts.gaps.unreadLines = 0
    #expect(counts.message == message)
    counts.gaps.unreadLines = 2
    #expect(counts.message == "\(message)\nlines not understood: 2")
  }
}
