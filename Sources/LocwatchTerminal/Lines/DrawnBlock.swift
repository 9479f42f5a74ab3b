/// The lines at the end of a terminal that are redrawn in place. The cursor is at their end.
struct DrawnBlock: Equatable {
  /// The width of each line, in columns.
  private(set) var widths: [Int] = []

  var isEmpty: Bool { widths.isEmpty }

  mutating func append(width: Int) { widths.append(width) }

  /// Returns the control sequence that clears the lines and moves the cursor to the beginning of the first
  /// one.
  ///
  /// - Parameters:
  ///   - columns: The current width of the terminal.
  ///   - rewraps: Whether the terminal wraps lines again when it becomes narrower.
  func clearing(columns: Int, rewraps: Bool) -> String {
    var rows = 0
    for width in widths { rows += 1 + (rewraps ? max(0, width - 1) / max(1, columns) : 0) }
    guard rows > 1 else { return TransientLine.clearing }
    // Cursor up, to the beginning of the line, and clear everything below (ECMA-48: CUU, CR, ED).
    return "\u{1b}[\(rows - 1)A\r\u{1b}[J"
  }
}
