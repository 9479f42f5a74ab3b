@testable import LocationFormats
@testable import LocwatchCLI
import Testing

@Suite struct CanvasTests {
  @Test func `Text that does not fit is cut off, and wide characters take two cells`() {
    var canvas = Canvas(columns: 6, rows: 2)
    #expect(canvas.put("abc", 4, 0) == 6)
    #expect(canvas.put("東京", 1, 1) == 5)
    #expect(canvas.put("x", 9, 9) == 9)
    #expect(canvas.lines == ["    ab", " 東京"])
    #expect(canvas.put("京都", 5, 1) == 5)
  }

  @Test func `An area is cut from any side, and never below nothing`() {
    var area = Area(column: 2, row: 3, columns: 10, rows: 5)
    #expect(area.takeTop(1) == Area(column: 2, row: 3, columns: 10, rows: 1))
    #expect(area.takeBottom(2) == Area(column: 2, row: 6, columns: 10, rows: 2))
    #expect(area.takeLeft(4) == Area(column: 2, row: 4, columns: 4, rows: 2))
    #expect(area == Area(column: 6, row: 4, columns: 6, rows: 2))
    #expect(area.takeTop(9).rows == 2)
    #expect(area.isEmpty)
  }

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
    (0x000000, 16), (0xffffff, 231), (0x0072B2, 25), (0x009E73, 36), (0xD55E00, 166),
    (0xCC79A7, 175), (0x6B6B6B, 59),
  ])
  func `A colour is the nearest of the 256`(rgb: UInt32, index: Int) {
    var next = Canvas(columns: 1, rows: 1)
    next.put("x", 0, 0, CellStyle(color: .rgb(rgb)))
    let shown = Canvas(columns: 1, rows: 1)
    #expect(written(next, over: shown, .many).contains(";38;5;\(index)m"))
    #expect(written(next, over: shown, .eight) == "\u{1b}[1;1H\u{1b}[0mx\u{1b}[0m")
  }

  private func written(
    _ next: Canvas, over shown: Canvas?, _ colors: FrameWriter.Colors = .many
  ) -> String {
    var output = TextBuffer()
    FrameWriter(colors: colors).write(next, over: shown, into: &output)
    return output.string
  }
}

@Suite struct BrailleGridTests {
  @Test func `A cell has two by four dots`() {
    var grid = BrailleGrid(columns: 2, rows: 1)
    #expect((grid.width, grid.height) == (4, 4))
    for (x, y) in [(0.0, 0.0), (1, 3), (3.9, 1.9), (4, 0), (-0.1, 0), (0, 4)] { grid.set(x, y) }
    var canvas = Canvas(columns: 2, rows: 1)
    grid.draw(on: &canvas, in: canvas.area, .plain, showsUTF8: true)
    #expect(canvas.lines == ["⢁⠐"])
  }

  @Test func `Dots leave what is there, and are full stops without UTF-8`() {
    var grid = BrailleGrid(columns: 3, rows: 1)
    for x in stride(from: 0.0, to: 6, by: 1) { grid.set(x, 0) }
    var canvas = Canvas(columns: 3, rows: 1)
    canvas.put("N", 1, 0)
    grid.draw(on: &canvas, in: canvas.area, .faint, showsUTF8: false)
    #expect(canvas.lines == [".N."])
  }

  @Test func `A circle has dots at its four ends`() {
    var grid = BrailleGrid(columns: 4, rows: 2)
    grid.circle(4, 4, radius: 2.99, spacing: 0.8)
    var canvas = Canvas(columns: 4, rows: 2)
    grid.draw(on: &canvas, in: canvas.area, .plain, showsUTF8: true)
    #expect(canvas.lines == ["⢰⠒⠒⡆", "⠸⠤⠤⠇"])
  }
}

@Suite struct ViewKeyTests {
  @Test(arguments: [
    ("q", [ViewKey.quit]), ("Q", [.quit]), ("\t", [.next]), ("7", [.number(7)]), ("0", []),
    ("\u{1b}[A\u{1b}[B\u{1b}[C\u{1b}[D", [.previous, .next, .next, .previous]),
    ("\u{1b}OB", [.next]), ("\u{1b}[Z", [.previous]), ("\u{0c}", [.repaint]),
    ("\u{1b}[1;5q", []), ("\u{1b}[200~q", [.quit]), ("\u{1b}q", [.quit]), ("xyz\u{1b}", []),
    ("\u{1b}[", []),
  ])
  func `A key is what a terminal sends for it`(text: String, keys: [ViewKey]) {
    #expect(ViewKey.keys(in: Array(text.utf8)[...]) == keys)
  }
}
