package import LocationText
package import LocwatchSystem

/// Writes the changes from one screen to the next as control sequences of ECMA-48.
package struct FrameWriter: Sendable {
  /// The colours of a terminal.
  package enum Colors: Sendable { case none, eight, many }

  let colors: Colors

  package init(colors: Colors) { self.colors = colors }

  /// Appends the changes that turn one screen into another; nothing if they are equal.
  ///
  /// - Parameter shown: The contents of the terminal; `nil` if they are unknown. If they are, or have another
  ///   size, the terminal is cleared first.
  package func write(_ next: Canvas, over shown: Canvas?, into output: inout TextBuffer) {
    var shown = shown
    if shown?.columns != next.columns || shown?.rows != next.rows { shown = nil }
    guard shown != next else { return }
    if shown == nil { output.append(text: "\u{1b}[0m\u{1b}[2J") }
    let before = shown ?? Canvas(columns: next.columns, rows: next.rows)
    var style = CellStyle.plain
    for row in 0..<next.rows {
      // The column of the cursor in this row.
      var cursor: Int?
      for column in 0..<next.columns {
        let cell = next[column, row]
        guard cell != before[column, row], cell.scalar != Cell.rightHalf else { continue }
        if cursor != column { move(to: column, row, &output) }
        if cell.style != style {
          output.append(text: sequence(for: cell.style))
          style = cell.style
        }
        output.append(text: String(cell.scalar))
        cursor = column + (next[column + 1, row].scalar == Cell.rightHalf ? 2 : 1)
      }
    }
    if style != .plain { output.append(text: "\u{1b}[0m") }
  }

  /// Appends CUP, whose coordinates count from 1.
  private func move(to column: Int, _ row: Int, _ output: inout TextBuffer) {
    output.append(text: "\u{1b}[")
    output.append(integer: row + 1)
    output.append(character: ";")
    output.append(integer: column + 1)
    output.append(character: "H")
  }

  /// Returns the SGR sequence of a style.
  private func sequence(for style: CellStyle) -> String {
    var parameters = "0"
    switch style.weight {
    case .normal: break
    case .bold: parameters += ";1"
    case .faint: parameters += ";2"
    }
    if style.isReversed { parameters += ";7" }
    switch (style.color, colors) {
    case (.ansi(let number)?, .eight), (.ansi(let number)?, .many): parameters += ";\(number)"
    case (.rgb(let value)?, .many): parameters += ";38;5;\(Self.indexed(value))"
    case (.rgb?, .eight), (_, .none), (nil, _): break
    }
    return "\u{1b}[\(parameters)m"
  }

  /// Returns the nearest of the 256 colours, in the cube with six levels for each component.
  private static func indexed(_ rgb: UInt32) -> UInt32 {
    func level(_ component: UInt32) -> UInt32 {
      // The levels are 0, 95, 135, 175, 215 and 255.
      component < 48 ? 0 : component < 115 ? 1 : (component - 35) / 40
    }
    return 16 + 36 * level(rgb >> 16 & 0xff) + 6 * level(rgb >> 8 & 0xff) + level(rgb & 0xff)
  }
}

extension FrameWriter.Colors {
  package init(_ style: TerminalStyle, _ environment: Environment) {
    let terminal = environment["TERM"] ?? ""
    let hasMany =
      terminal.contains(text: "256") || terminal.contains(text: "direct")
      || environment["COLORTERM", default: ""] != ""
    self = !style.usesColor ? .none : hasMany ? .many : .eight
  }
}
