package import LocwatchTerminal

/// A terminal that knows what the view sends, and nothing else.
package struct ModelTerminal {
  package let columns: Int
  package let rows: Int
  private var cells: [Unicode.Scalar]
  private var column = 0
  private var row = 0

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = [Unicode.Scalar](repeating: "?", count: columns * rows)
  }

  /// Shows what turns the screen into a canvas. Returns what is wrong with it, or with what is on the
  /// screen then; `nil` if nothing is.
  package mutating func complaint(about bytes: [UInt8], drawing canvas: Canvas) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return "no UTF-8" }
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}" {
        guard follow(&rest) else { return "a control sequence of which the view knows nothing" }
        continue
      }
      guard scalar.properties.generalCategory != .control else { return "a control character" }
      guard row < rows, column < columns else { return "a character beyond the edge" }
      let isWide = canvas[column + 1, row].scalar == Cell.rightHalf
      put(scalar, isWide: isWide)
      column += isWide ? 2 : 1
    }
    for row in 0..<rows {
      for column in 0..<columns where cells[row * columns + column] != canvas[column, row].scalar {
        return "row \(row), column \(column) shows \(cells[row * columns + column]) "
          + "instead of \(canvas[column, row].scalar)"
      }
    }
    return nil
  }

  /// Follows CUP, ED and SGR.
  private mutating func follow(_ rest: inout Substring.UnicodeScalarView) -> Bool {
    guard rest.popFirst() == "[" else { return false }
    let parameters = String(rest.prefix { ("0"..."9").contains($0) || $0 == ";" })
    rest = rest.dropFirst(parameters.unicodeScalars.count)
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    switch rest.popFirst() {
    case "H":
      guard numbers.count == 2, (1...rows).contains(numbers[0]), (1...columns).contains(numbers[1])
      else { return false }
      (row, column) = (numbers[0] - 1, numbers[1] - 1)
    case "J":
      guard numbers == [2] else { return false }
      cells = [Unicode.Scalar](repeating: " ", count: cells.count)
    case "m": return numbers.first == 0
    default: return false
    }
    return true
  }

  /// A character over half of a wide one clears the other half.
  private mutating func put(_ scalar: Unicode.Scalar, isWide: Bool) {
    let place = row * columns + column
    if cells[place] == Cell.rightHalf, column > 0 { cells[place - 1] = " " }
    let end = place + (isWide ? 2 : 1)
    if column + (isWide ? 2 : 1) < columns, cells[end] == Cell.rightHalf { cells[end] = " " }
    cells[place] = scalar
    if isWide { cells[place + 1] = Cell.rightHalf }
  }
}
