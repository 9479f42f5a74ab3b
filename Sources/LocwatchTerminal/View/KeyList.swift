/// The list of a view's keys, in a box over the view.
struct KeyList: Sendable {
  private typealias Line = (keys: String, action: String)

  /// The columns of the keys and the space after them.
  private static let keyWidth = 20

  /// Whether the view shows a recording.
  let isReplay: Bool
  let showsUTF8: Bool

  private var lines: [Line] {
    let own: [Line] =
      isReplay
      ? [
        ("Space, p", "pause, resume"), ("Left, Right", "10 s back, forward"),
        ("Page Up, Page Down", "10 min back, forward"),
        ("Shift-Left, -Right", "10 min back, forward"),
        ("+, -", "faster, slower"), ("n", "next transition"),
        ("Tab, Up, Down, 1-9", "choose a receiver"),
      ]
      : [
        ("Space, p", "freeze the picture"), ("Tab, arrows, 1-9", "choose a receiver"),
      ]
    return own + [("ctrl-L", "draw again"), ("q", "quit"), ("any key", "close this list")]
  }

  /// Draws the list in the middle of a canvas, without a border if there is no room for it.
  func draw(on canvas: inout Canvas) {
    // A narrow view has no scatter, and a scatter seldom has room for a legend of its mark.
    var lines = lines
    if canvas.columns >= 60 { lines.append(("+ in the scatter", "the last position")) }
    let width = Self.keyWidth + (lines.map(\.action.count).max() ?? 0)
    let hasBorder = canvas.columns >= width + 4 && canvas.rows >= lines.count + 2
    let frame = hasBorder ? (columns: 4, rows: 2) : (columns: 0, rows: 0)
    var box = Area(
      column: 0, row: 0, columns: min(canvas.columns, width + frame.columns),
      rows: min(canvas.rows, lines.count + frame.rows))
    box.column = (canvas.columns - box.columns) / 2
    box.row = (canvas.rows - box.rows) / 2
    clear(box, on: &canvas)
    if hasBorder { drawBorder(of: box, on: &canvas) }
    for (index, line) in lines.prefix(box.rows - frame.rows).enumerated() {
      let (column, row) = (box.column + frame.columns / 2, box.row + frame.rows / 2 + index)
      let width = box.columns - frame.columns
      canvas.put(line.keys, column, row, .bold, width: width)
      canvas.put(
        line.action, column + Self.keyWidth, row, width: width - Self.keyWidth)
    }
  }

  private func clear(_ area: Area, on canvas: inout Canvas) {
    for row in area.row..<area.row + area.rows {
      // If the edge divides a character that is two columns wide, its other half is removed, too.
      let end = area.column + area.columns
      if canvas[area.column, row].scalar == Cell.rightHalf { canvas[area.column - 1, row] = .blank }
      if canvas[end, row].scalar == Cell.rightHalf { canvas[end, row] = .blank }
      for column in area.column..<area.column + area.columns { canvas[column, row] = .blank }
    }
  }

  private func drawBorder(of area: Area, on canvas: inout Canvas) {
    let (corners, side, edge): ([String], String, String) =
      showsUTF8 ? (["┌", "┐", "└", "┘"], "│", "─") : (["+", "+", "+", "+"], "|", "-")
    let line = String(repeating: edge, count: area.columns - 2)
    let (last, bottom) = (area.column + area.columns - 1, area.row + area.rows - 1)
    canvas.put(corners[0] + line + corners[1], area.column, area.row)
    canvas.put(corners[2] + line + corners[3], area.column, bottom)
    for row in area.row + 1..<bottom {
      canvas.put(side, area.column, row)
      canvas.put(side, last, row)
    }
  }
}
