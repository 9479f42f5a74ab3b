import LocationCore
import LocationSamples
import LocationText
import LocwatchSystem
import Testing

@testable import LocwatchTerminal

@Suite struct `Lines at the end of a terminal` {
  private let pipe: PipeEnds
  private let lines: LiveLines

  init() throws {
    pipe = try PipeEnds()
    lines = LiveLines(pipe.descriptor, style: TerminalStyle(), isReplay: false)
  }

  private func written() throws -> String {
    try lines.flush()
    return String(decoding: pipe.readAll(), as: UTF8.self)
  }

  private func draw(_ texts: String...) {
    lines.beginDrawing(at: Moment(uptime: .seconds(1)))
    for text in texts { lines.append(text) }
  }

  /// So that a message follows the transition that it is about.
  @Test func `are below what was queued before a message, the next lines and the end`() throws {
    let renderer = TerminalRenderer(style: TerminalStyle())
    let text = "07:04:50Z searching /dev/ttyACM0\n"
    func queue() { lines.queue(.state(Samples.searching), of: nil, by: renderer) }
    queue()
    lines.clear()
    #expect(!lines.isCleared)
    #expect(try written() == text)
    queue()
    draw("one")
    #expect(try written() == text + "one")
    queue()
    try lines.finish(waitsForReader: true)
    #expect(try written() == "\r\u{1b}[K" + text)
    #expect(!lines.hasPending)
  }

  @Test func `are not drawn below what a stopped terminal has not taken`() throws {
    let page = [UInt8](repeating: 0x2E, count: 4096)[...]
    while case .wrote = pipe.descriptor.write(page) {}
    lines.queue(
      .state(Samples.searching), of: nil, by: TerminalRenderer(style: TerminalStyle()))
    lines.scroll()
    #expect(lines.mayDraw(at: Moment(uptime: .seconds(1))))
    try lines.flush()
    #expect(!lines.mayDraw(at: Moment(uptime: .seconds(2))))
    _ = pipe.readAll()
    _ = try written()
    #expect(lines.mayDraw(at: Moment(uptime: .seconds(3))))
  }

  /// A terminal of another session is as one of another job.
  @Test func `of a background job are not cleared`() throws {
    let terminal = try PseudoTerminalEnds()
    let lines = LiveLines(terminal.terminal, style: TerminalStyle(), isReplay: false)
    lines.append("one")
    lines.queue(
      .state(Samples.searching), of: nil, by: TerminalRenderer(style: TerminalStyle()))
    lines.scroll()
    try lines.flush()
    #expect(!terminal.takeText().contains("\u{1b}"))
  }

  @Test func `are not drawn while the terminal takes nothing`() throws {
    let page = [UInt8](repeating: 0x2E, count: 4096)[...]
    while case .wrote = pipe.descriptor.write(page) {}
    draw("one")
    try lines.flush()
    #expect(lines.hasPending && lines.blockedOutput === pipe.descriptor)
    let later = Moment(uptime: .seconds(2))
    #expect(!lines.mayDraw(at: later))
    // The next attempt comes a while after this one.
    #expect(lines.drawn == later)
    _ = pipe.readAll()
    #expect(try written() == "one")
    #expect(!lines.hasPending && lines.blockedOutput == nil)
    #expect(lines.mayDraw(at: Moment(uptime: .seconds(3))) && lines.drawn == later)
  }

  @Test func `If lines may not be drawn, the next try is later and not at once`() throws {
    // Not the terminal that controls this process, which is therefore not in its foreground.
    let pseudoTerminal = try PseudoTerminalEnds()
    let lines = LiveLines(
      pseudoTerminal.terminal, style: TerminalStyle(), isReplay: false)
    lines.beginDrawing(at: Moment(uptime: .seconds(1)))
    let mayDraw = lines.mayDraw(at: Moment(uptime: .seconds(5)))
    #expect(!mayDraw)
    #expect(lines.drawn == Moment(uptime: .seconds(5)))
  }

  @Test func `are to be drawn again after they were cleared for a message`() throws {
    #expect(!lines.isTooEarly(at: Moment(uptime: .seconds(1)), every: .seconds(9)))
    draw("one")
    _ = try written()
    #expect(lines.isTooEarly(at: Moment(uptime: .seconds(2)), every: .milliseconds(1001)))
    #expect(!lines.isTooEarly(at: Moment(uptime: .seconds(2)), every: .seconds(1)))
    #expect(!lines.hasPending)
    lines.clear()
    #expect(lines.hasPending)
    #expect(!lines.isTooEarly(at: Moment(uptime: .seconds(2)), every: .seconds(9)))
    // Once is enough.
    _ = try written()
    lines.clear()
    #expect(try written() == "")
  }
}
