import Testing

@testable import LocationFormats
@testable import LocationText
@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct FrameWriterTests {
  @Test func `Only changed cells are written, with one movement for each run of them`() {
    var shown = Canvas(columns: 10, rows: 2)
    shown.put("fix-3d", 0, 0, .bold)
    var next = shown
    next.put("x", 1, 1)
    next.put("yz", 4, 1, .faint)
    #expect(written(next, over: shown) == "\u{1b}[2;2Hx\u{1b}[2;5H\u{1b}[0;2myz\u{1b}[0m")
    #expect(written(shown, over: shown) == "")
  }

  @Test func `A screen of another size is written whole, after a clear`() {
    var next = Canvas(columns: 3, rows: 1)
    next.put("ab", 1, 0)
    let whole = "\u{1b}[0m\u{1b}[2J\u{1b}[1;2Hab"
    #expect(written(next, over: nil) == whole)
    #expect(written(next, over: Canvas(columns: 4, rows: 1)) == whole)
    #expect(written(next, over: Canvas(columns: 3, rows: 2)) == whole)
  }

  @Test func `A wide character moves the cursor by two`() {
    let shown = Canvas(columns: 6, rows: 2)
    var next = shown
    next.put("東a", 1, 0)
    next.put("b", 0, 1)
    #expect(written(next, over: shown) == "\u{1b}[1;2H東a\u{1b}[2;1Hb")
  }

  @Test func `A style is written where it changes, and is reset before plain cells`() {
    let shown = Canvas(columns: 6, rows: 1)
    var next = shown
    next.put("a", 0, 0, .alarm)
    next.put("b", 1, 0)
    next.put("cd", 2, 0, .faint)
    next.put("e", 5, 0, .faint)
    #expect(
      written(next, over: shown)
        == "\u{1b}[1;1H\u{1b}[0;1;7ma\u{1b}[0mb\u{1b}[0;2mcd\u{1b}[1;6He\u{1b}[0m")
  }

  @Test(arguments: [
    (FrameWriter.Colors.none, "\u{1b}[0;1m"), (.eight, "\u{1b}[0;1;31m"),
    (.many, "\u{1b}[0;1;31m"),
  ])
  func `Colours are those that the terminal has`(colors: FrameWriter.Colors, sequence: String) {
    var next = Canvas(columns: 1, rows: 1)
    next.put("x", 0, 0, CellStyle(weight: .bold, color: .ansi(31)))
    let shown = Canvas(columns: 1, rows: 1)
    #expect(written(next, over: shown, colors) == "\u{1b}[1;1H\(sequence)x\u{1b}[0m")
  }

  @Test(arguments: [
    (0x000000, 16), (0xffffff, 231), (0x0072B2, 25), (0x0087FF, 33), (0x878787, 102),
    (0x009E73, 36), (0xD55E00, 166),
    (0xCC79A7, 175), (0x6B6B6B, 59), (0x2F3073, 24), (0x73302F, 94), (0x30722F, 58),
    (0x729A9B, 67), (0xC2C3EA, 152),
  ])
  func `A colour is the nearest of the 256`(rgb: UInt32, index: Int) {
    var next = Canvas(columns: 1, rows: 1)
    next.put("x", 0, 0, CellStyle(color: .rgb(rgb)))
    let shown = Canvas(columns: 1, rows: 1)
    #expect(written(next, over: shown, .many).contains(";38;5;\(index)m"))
    #expect(written(next, over: shown, .eight) == "\u{1b}[1;1H\u{1b}[0mx\u{1b}[0m")
  }

  @Test(arguments: [
    (["TERM": "xterm"], FrameWriter.Colors.eight), ([:], .eight), (["COLORTERM": ""], .eight),
    (["TERM": "xterm-256color"], .many), (["TERM": "xterm-direct"], .many),
    (["TERM": "xterm", "COLORTERM": "truecolor"], .many),
  ])
  func `The environment says how many colours a terminal has`(
    variables: [String: String], colors: FrameWriter.Colors
  ) {
    var style = TerminalStyle()
    #expect(FrameWriter.Colors(style, Environment(variables)) == .none)
    style.usesColor = true
    #expect(FrameWriter.Colors(style, Environment(variables)) == colors)
  }

  private func written(
    _ next: Canvas, over shown: Canvas?, _ colors: FrameWriter.Colors = .many
  ) -> String {
    var output = TextBuffer()
    FrameWriter(colors: colors).write(next, over: shown, into: &output)
    return output.string
  }
}
