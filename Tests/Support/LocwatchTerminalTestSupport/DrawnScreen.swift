/// What a terminal shows of what is written to it, without its style.
package struct DrawnScreen {
  private var cells: [[Character]] = []
  private var columns = 0
  private var (row, column) = (0, 0)
  /// The beginning of a control sequence whose end was not written yet.
  private var sequence: String?

  package init(_ size: (columns: Int, rows: Int) = (80, 24)) { resize(to: size) }

  /// Cuts off what has no room.
  package mutating func resize(to size: (columns: Int, rows: Int)) {
    columns = size.columns
    cells = (0..<size.rows).map { row in
      let kept = row < cells.count ? cells[row].prefix(columns) : []
      return kept + Array(repeating: " ", count: columns - kept.count)
    }
  }

  /// The rows, without the blanks at their ends.
  package var rows: [String] {
    cells.map { row in
      let end = row.lastIndex { $0 != " " } ?? -1
      return String(row[...end])
    }
  }

  package var text: String { rows.joined(separator: "\n") }

  package mutating func follow(_ text: String) {
    for scalar in text.unicodeScalars {
      if let begun = sequence {
        sequence = begun + String(scalar)
        guard scalar != "[", (0x40...0x7e).contains(scalar.value) else { continue }
        obey(begun.dropFirst(), scalar)
        sequence = nil
      } else if scalar == "\u{1b}" {
        sequence = ""
      } else if scalar == "\r" {
        column = 0
      } else if scalar == "\n" {
        breakLine()
      } else if cells.indices.contains(row), cells[row].indices.contains(column) {
        cells[row][column] = Character(scalar)
        column += 1
      }
    }
  }

  /// - Parameter parameters: What stands between the bracket and the last letter.
  private mutating func obey(_ parameters: Substring, _ final: Unicode.Scalar) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    switch final {
    case "H":
      row = (numbers.first.flatMap(\.self) ?? 1) - 1
      column = (numbers.dropFirst().first.flatMap(\.self) ?? 1) - 1
    case "A": row = max(0, row - (numbers.first.flatMap(\.self) ?? 1))
    case "K": clear(row, from: column)
    case "J" where parameters == "2": self = DrawnScreen((columns, cells.count))
    case "J":
      clear(row, from: column)
      for row in cells.indices.dropFirst(row + 1) { clear(row, from: 0) }
    default: break
    }
  }

  private mutating func clear(_ row: Int, from column: Int) {
    guard cells.indices.contains(row) else { return }
    for column in cells[row].indices.dropFirst(column) { cells[row][column] = " " }
  }

  private mutating func breakLine() {
    column = 0
    row += 1
    guard row == cells.count else { return }
    cells.removeFirst()
    cells.append([Character](repeating: " ", count: columns))
    row -= 1
  }
}
