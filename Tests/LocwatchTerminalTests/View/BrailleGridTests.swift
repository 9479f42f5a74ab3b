import Testing

@testable import LocwatchTerminal

@Suite struct BrailleGridTests {
  @Test func `A cell has two by four dots`() {
    var grid = BrailleGrid(columns: 2, rows: 1)
    #expect((grid.width, grid.height) == (4, 4))
    for (x, y) in [(0.0, 0.0), (1, 3), (3.9, 1.9), (4, 0), (-0.1, 1), (0, 4), (2, -0.1)] {
      grid.set(x, y)
    }
    var canvas = Canvas(columns: 2, rows: 1)
    grid.draw(on: &canvas, in: canvas.area, .plain, showsUTF8: true)
    #expect(canvas.lines == ["⢁⠐"])
  }

  @Test func `Each dot of a cell has its bit`() {
    var grid = BrailleGrid(columns: 4, rows: 3)
    for row in 0..<4 {
      grid.set(Double(2 * row), Double(row))
      grid.set(Double(2 * row + 1), Double(4 + row))
      grid.set(Double(2 * row), Double(8 + row))
      grid.set(Double(2 * row + 1), Double(8 + row))
    }
    var canvas = Canvas(columns: 6, rows: 5)
    grid.draw(
      on: &canvas, in: Area(column: 1, row: 2, columns: 4, rows: 3), .bold, showsUTF8: true)
    #expect(canvas.lines == ["", "", " ⠁⠂⠄⡀", " ⠈⠐⠠⢀", " ⠉⠒⠤⣀"])
    #expect(canvas.styles == ["2 1..<5 bold", "3 1..<5 bold", "4 1..<5 bold"])
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

  @Test(arguments: [
    (100.0, [" ⠄⠈ ⠠", "⠄    ⠠", " ⠂ ⡀⠐"]), (2.0, ["⢀⠔⠈ ⠢⡀", "⠄    ⠠", "⠈⠢ ⡀⠔⠁"]),
    (3.0, ["⢀⠐⠈ ⠂⡀", "⠄    ⠠", "⠈⠠ ⡀⠄⠁"]),
  ])
  func `A circle has a multiple of four dots, as far apart as they should be, and at least eight`(
    spacing: Double, lines: [String]
  ) {
    var grid = BrailleGrid(columns: 6, rows: 3)
    grid.circle(6, 6, radius: 5.4, spacing: spacing)
    var canvas = Canvas(columns: 6, rows: 3)
    grid.draw(on: &canvas, in: canvas.area, .plain, showsUTF8: true)
    #expect(canvas.lines == lines)
  }
}
