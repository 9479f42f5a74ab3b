/// The lines at the end of a terminal that are drawn again and again; the cursor is at their end.
struct DrawnBlock: Equatable {
  /// How many columns each of them has.
  private(set) var widths: [Int] = []

  var isEmpty: Bool { widths.isEmpty }

  mutating func append(width: Int) { widths.append(width) }

  /// What clears them, and leaves the cursor where the first one began.
  ///
  /// - Parameters:
  ///   - columns: How wide the terminal is now.
  ///   - rewraps: Whether a line that is too long for that takes several rows by now.
  func clearing(columns: Int, rewraps: Bool) -> String {
    var rows = 0
    for width in widths { rows += 1 + (rewraps ? max(0, width - 1) / max(1, columns) : 0) }
    guard rows > 1 else { return TransientLine.clearing }
    // Cursor up, to the line's beginning, and clear all below (ECMA-48: CUU, CR, ED).
    return "\u{1b}[\(rows - 1)A\r\u{1b}[J"
  }
}
