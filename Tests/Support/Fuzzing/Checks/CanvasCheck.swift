package import LocwatchTerminal

/// Whether each cell of a canvas can be shown.
package enum CanvasCheck {
  /// Returns what is wrong with a canvas for a terminal of a size; `nil` if nothing is.
  package static func complaint(about canvas: Canvas, columns: Int, rows: Int) -> String? {
    let limit = ViewRenderer.maximumSize
    guard canvas.columns == min(columns, limit.columns), canvas.rows == min(rows, limit.rows) else {
      return "\(canvas.columns) x \(canvas.rows) instead of \(columns) x \(rows)"
    }
    // Most cells are alike.
    var known: Set<Unicode.Scalar> = []
    for row in 0..<canvas.rows {
      for column in 0..<canvas.columns {
        let scalar = canvas[column, row].scalar
        if scalar == Cell.rightHalf {
          let left = canvas[column - 1, row].scalar
          guard left.value > 0x7F else { return "half a character at \(column), \(row)" }
        } else if known.insert(scalar).inserted, let complaint = complaint(about: scalar) {
          return "\(complaint) at \(column), \(row)"
        }
      }
    }
    return nil
  }

  private static func complaint(about scalar: Unicode.Scalar) -> String? {
    if scalar == "\n" { return "a line end" }
    return RecordCheck.complaintAboutText(Array(String(scalar).utf8))
  }
}
