import Testing

@testable import LocationFormats
@testable import LocwatchTerminal

@Suite struct CanvasTests {
  @Test func `Text that does not fit is cut off, and wide characters take two cells`() {
    var canvas = Canvas(columns: 6, rows: 2)
    #expect(canvas.put("abc", 4, 0) == 6)
    #expect(canvas.put("東京", 1, 1) == 5)
    #expect(canvas.put("x", 9, 9) == 9)
    #expect(canvas.lines == ["    ab", " 東京"])
    #expect(canvas.put("京都", 5, 1) == 5)
  }

  @Test func `An area is cut from any side, and never has a negative size`() {
    var area = Area(column: 2, row: 3, columns: 10, rows: 5)
    #expect(area.takeTop(1) == Area(column: 2, row: 3, columns: 10, rows: 1))
    #expect(area.takeBottom(2) == Area(column: 2, row: 6, columns: 10, rows: 2))
    #expect(area.takeLeft(4) == Area(column: 2, row: 4, columns: 4, rows: 2))
    #expect(area == Area(column: 6, row: 4, columns: 6, rows: 2))
    #expect(area.takeTop(-1).rows == 0 && area.takeBottom(-1).rows == 0)
    #expect(area == Area(column: 6, row: 4, columns: 6, rows: 2))
    #expect(area.takeBottom(9) == Area(column: 6, row: 4, columns: 6, rows: 2))
    #expect(area == Area(column: 6, row: 4, columns: 6, rows: 0))
    #expect(area.takeLeft(9) == Area(column: 6, row: 4, columns: 6, rows: 0))
    #expect(area == Area(column: 12, row: 4, columns: 0, rows: 0))
    var none = Area(column: 5, row: 0, columns: -3, rows: 1)
    #expect(none.takeLeft(2) == Area(column: 5, row: 0, columns: 0, rows: 1))
    #expect(none == Area(column: 5, row: 0, columns: -3, rows: 1))
  }

  @Test func `Text ends at the given width, and marks without a width take no cell`() {
    var canvas = Canvas(columns: 8, rows: 1)
    #expect(canvas.put("abcdef", 1, 0, .bold, width: 3) == 4)
    #expect(canvas.put("x\u{301}y", 5, 0, width: 2) == 7)
    #expect(canvas.put("東", 7, 0, width: 1) == 7)
    #expect(canvas.lines == [" abc xy"])
    #expect(canvas.styles == ["0 1..<4 bold"])
    #expect(canvas.put("ab", 0, 0, width: 0) == 0)
  }

  @Test func `A wide character has its style in both cells, and the second cell is empty`() {
    var canvas = Canvas(columns: 4, rows: 1)
    canvas.put("東", 1, 0, .bold)
    #expect(canvas[1, 0] == Cell(scalar: "東", style: .bold))
    #expect(canvas[2, 0] == Cell(scalar: Cell.rightHalf, style: .bold))
    #expect(canvas[3, 0] == .blank)
  }

  @Test func `Outside a canvas there are only blanks`() {
    var canvas = Canvas(columns: 2, rows: 2)
    for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
      canvas[column, row] = Cell(scalar: "x")
    }
    for (column, row) in [(-1, 1), (2, 0), (0, -1), (0, 2), (1, 2), (-1, -1), (2, 2)] {
      canvas[column, row] = Cell(scalar: "y")
      #expect(canvas[column, row] == .blank)
    }
    #expect(canvas.lines == ["xx", "xx"])
  }

  @Test func `Lines fill an area from its top, and are cut at its edges`() {
    var canvas = Canvas(columns: 8, rows: 4)
    canvas.put(
      lines: ["abcdef", "g", "h"], in: Area(column: 1, row: 1, columns: 4, rows: 2), .faint)
    #expect(canvas.lines == ["", " abcd", " g", ""])
    #expect(canvas.styles == ["1 1..<5 faint", "2 1..<2 faint"])
    canvas.put(lines: ["x"], in: Area(column: 0, row: 0, columns: 4, rows: -1))
    #expect(canvas.lines[0] == "")
  }
}
