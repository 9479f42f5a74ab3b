import LocationCore
import LocwatchSystem
import Testing

@testable import LocwatchTerminal

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("fix-3d", 6), ("±1.0 m", 6), ("48°07'", 6), ("é", 1), ("e\u{301}", 1),
    ("a\u{20dd}", 1), ("漢字", 4), ("한", 2), ("ｶ", 1), ("Ａ", 2), ("𠀀", 2),
    // Emoji that are shown as such, from the oldest to the youngest.
    ("⌚", 2), ("⚡", 2), ("✅", 2), ("❌", 2), ("➕", 2), ("⭐", 2), ("🀄", 2), ("🆎", 2),
    ("📡", 2), ("🛰", 1), ("🚀", 2), ("🟢", 2), ("🥇", 2), ("🪐", 2), ("🪰", 2),
    // What can be an emoji and is a character unless somebody asks for one.
    ("✈", 1), ("☀", 1), ("→", 1), ("🌡", 1),
    // Two letters make a flag, which is as wide as both.
    ("🇩🇪", 2), ("🇩", 1),
  ])
  func `A text is as wide as its characters`(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test(arguments: [
    ("✅ok", 0, ""), ("✅ok", 1, ""), ("✅ok", 2, "✅"), ("✅ok", 3, "✅o"), ("✅ok", 9, "✅ok"),
    ("e\u{301}x", 1, "e\u{301}"),
  ])
  func `A text is cut before the character that does not fit`(
    text: String, width: Int, cut: String
  ) {
    #expect(text.cut(toDisplayWidth: width) == cut)
  }
}

@Suite struct LiveLinesTests {
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

  @Test func `Lines that a message replaced are redrawn`() throws {
    let pipe = try PipeEnds()
    let lines = LiveLines(pipe.descriptor, style: TerminalStyle(), isReplay: false)
    lines.clear()
    #expect(!lines.isCleared && !lines.hasPending)
    lines.beginDrawing(at: Moment(uptime: .seconds(1)))
    lines.append("one")
    lines.append("two")
    try lines.flush()
    #expect(!lines.hasPending)
    lines.clear()
    #expect(lines.isCleared && lines.hasPending)
    #expect(String(decoding: pipe.readAll(), as: UTF8.self) == "one\ntwo\u{1b}[1A\r\u{1b}[J")
    #expect(!lines.isTooEarly(at: Moment(uptime: .seconds(1)), every: .seconds(1)))
    lines.beginDrawing(at: Moment(uptime: .seconds(2)))
    lines.append("three")
    try lines.flush()
    #expect(!lines.isCleared && !lines.hasPending)
    #expect(String(decoding: pipe.readAll(), as: UTF8.self) == "three")
    #expect(lines.isTooEarly(at: Moment(uptime: .milliseconds(2999)), every: .seconds(1)))
    #expect(!lines.isTooEarly(at: Moment(uptime: .seconds(3)), every: .seconds(1)))
  }
}

@Suite struct DrawnBlockTests {
  @Test(arguments: [
    ([], 80, true, "\r\u{1b}[K"),
    ([79], 80, true, "\r\u{1b}[K"),
    ([20, 20, 79], 80, true, "\u{1b}[2A\r\u{1b}[J"),
    // The terminal got narrower.
    ([79], 40, true, "\u{1b}[1A\r\u{1b}[J"),
    ([80], 40, true, "\u{1b}[1A\r\u{1b}[J"),
    ([81], 40, true, "\u{1b}[2A\r\u{1b}[J"),
    ([79], 40, false, "\r\u{1b}[K"),
    ([20, 50, 79], 40, true, "\u{1b}[4A\r\u{1b}[J"),
    ([0], 40, true, "\r\u{1b}[K"),
  ])
  func `Clearing returns to the beginning of the block`(
    widths: [Int], columns: Int, rewraps: Bool, sequence: String
  ) {
    var block = DrawnBlock()
    for width in widths { block.append(width: width) }
    #expect(block.clearing(columns: columns, rewraps: rewraps) == sequence)
  }
}
