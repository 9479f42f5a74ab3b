import LocwatchSystem

/// The look of a cell. Styles with a meaning can be distinguished without colour.
package struct CellStyle: Equatable, Sendable {
  enum Weight: Sendable { case normal, bold, faint }

  enum Color: Equatable, Sendable {
    /// One of the eight colours of ECMA-48, in the shade that the terminal uses.
    case ansi(Int)
    /// 0xRRGGBB.
    case rgb(UInt32)
  }

  var weight = Weight.normal
  var color: Color?
  /// Whether foreground and background are exchanged.
  var isReversed = false

  static let plain = CellStyle()
  static let bold = CellStyle(weight: .bold)
  static let faint = CellStyle(weight: .faint)
  static let alarm = CellStyle(weight: .bold, isReversed: true)
}

/// One character of a screen.
package struct Cell: Equatable, Sendable {
  static let blank = Cell(scalar: " ")
  /// The right half of a character that is two columns wide.
  package static let rightHalf: Unicode.Scalar = "\0"

  package var scalar: Unicode.Scalar
  var style = CellStyle.plain

  package init(scalar: Unicode.Scalar) { self.scalar = scalar }

  init(scalar: Unicode.Scalar, style: CellStyle) {
    self.scalar = scalar
    self.style = style
  }
}

/// A part of a screen, in cells.
struct Area: Equatable, Sendable {
  var column: Int
  var row: Int
  var columns: Int
  var rows: Int

  /// Returns the rows from the top, and removes them from this area.
  mutating func takeTop(_ count: Int) -> Area { take(count, from: \.row, of: \.rows) }

  /// Returns the rows from the bottom, and removes them from this area.
  mutating func takeBottom(_ count: Int) -> Area {
    let top = takeTop(rows - max(0, count))
    defer { self = top }
    return self
  }

  /// Returns the columns from the left, and removes them from this area.
  mutating func takeLeft(_ count: Int) -> Area { take(count, from: \.column, of: \.columns) }

  private mutating func take(
    _ count: Int, from start: WritableKeyPath<Area, Int>, of length: WritableKeyPath<Area, Int>
  ) -> Area {
    var part = self
    part[keyPath: length] = min(max(0, count), max(0, self[keyPath: length]))
    self[keyPath: start] += part[keyPath: length]
    self[keyPath: length] -= part[keyPath: length]
    return part
  }
}

/// The contents of a screen. Drawing outside it has no effect.
package struct Canvas: Equatable, Sendable {
  package let columns: Int
  package let rows: Int
  private var cells: [Cell]

  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    cells = [Cell](repeating: .blank, count: self.columns * self.rows)
  }

  var area: Area { Area(column: 0, row: 0, columns: columns, rows: rows) }

  package subscript(column: Int, row: Int) -> Cell {
    get { contains(column, row) ? cells[row * columns + column] : .blank }
    set { if contains(column, row) { cells[row * columns + column] = newValue } }
  }

  private func contains(_ column: Int, _ row: Int) -> Bool {
    column >= 0 && column < columns && row >= 0 && row < rows
  }

  /// Writes a text that begins at a cell.
  ///
  /// - Parameters:
  ///   - text: Text without control characters. Marks without a width of their own are left out.
  ///   - width: The maximum number of columns; `nil` for the rest of the row.
  /// - Returns: The column after the text.
  @discardableResult
  mutating func put(
    _ text: String, _ column: Int, _ row: Int, _ style: CellStyle = .plain, width: Int? = nil
  ) -> Int {
    let end = min(columns, width.map { column + $0 } ?? columns)
    var column = column
    for scalar in text.unicodeScalars {
      let width = scalar.displayWidth
      guard width > 0 else { continue }
      guard column + width <= end else { break }
      self[column, row] = Cell(scalar: scalar, style: style)
      if width == 2 { self[column + 1, row] = Cell(scalar: Cell.rightHalf, style: style) }
      column += width
    }
    return column
  }

  /// Writes lines into an area, as many as fit.
  mutating func put(lines: some Sequence<String>, in area: Area, _ style: CellStyle = .plain) {
    for (index, line) in lines.prefix(max(0, area.rows)).enumerated() {
      put(line, area.column, area.row + index, style, width: area.columns)
    }
  }

  /// The rows as text, without trailing blanks.
  var lines: [String] {
    (0..<rows).map { row in
      var line = String.UnicodeScalarView()
      for column in 0..<columns where self[column, row].scalar != Cell.rightHalf {
        line.append(self[column, row].scalar)
      }
      while line.last == " " { line.removeLast() }
      return String(line)
    }
  }
}
