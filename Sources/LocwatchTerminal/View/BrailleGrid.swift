import Glibc

/// A grid of dots. Each cell of the terminal has 2 × 4 of them, as a braille character does. On most
/// terminals, the dots are equally far apart in both directions.
struct BrailleGrid: Sendable {
  /// The width in dots.
  let width: Int
  let height: Int
  private let columns: Int
  private var bits: [UInt8]

  init(columns: Int, rows: Int) {
    self.columns = columns
    width = 2 * columns
    height = 4 * rows
    bits = [UInt8](repeating: 0, count: columns * rows)
  }

  /// Sets the dot at a point. The origin is the top left corner of the grid.
  mutating func set(_ x: Double, _ y: Double) {
    guard x >= 0, y >= 0, x < Double(width), y < Double(height) else { return }
    let (column, row) = (Int(x), Int(y))
    // Unicode counts the dots down the left column, then down the right one, and then the last row.
    let left: [UInt8] = [0x01, 0x02, 0x04, 0x40]
    let right: [UInt8] = [0x08, 0x10, 0x20, 0x80]
    bits[row / 4 * columns + column / 2] |= column % 2 == 0 ? left[row % 4] : right[row % 4]
  }

  /// Draws a circle.
  ///
  /// - Parameters:
  ///   - radius: More than zero, in dots.
  ///   - spacing: The distance between the dots, in dots.
  mutating func circle(_ x: Double, _ y: Double, radius: Double, spacing: Double) {
    // A multiple of four puts dots at the top, the bottom and the sides.
    let count = max(8, Int((2 * Double.pi * radius / spacing / 4).rounded()) * 4)
    for index in 0..<count {
      let angle = 2 * Double.pi * Double(index) / Double(count)
      set(x + radius * cos(angle), y + radius * sin(angle))
    }
  }

  /// Draws the dots into the cells of an area that are still blank.
  ///
  /// - Parameters:
  ///   - showsUTF8: Whether the terminal shows braille.
  ///   - plain: The character for a cell with dots, on a terminal without braille.
  func draw(
    on canvas: inout Canvas, in area: Area, _ style: CellStyle, showsUTF8: Bool,
    plain: Unicode.Scalar = "."
  ) {
    for (index, bits) in bits.enumerated() where bits != 0 {
      let (column, row) = (area.column + index % columns, area.row + index / columns)
      guard canvas[column, row].scalar == " " else { continue }
      let scalar = showsUTF8 ? Unicode.Scalar(0x2800 + UInt32(bits)) ?? plain : plain
      canvas[column, row] = Cell(scalar: scalar, style: style)
    }
  }
}
