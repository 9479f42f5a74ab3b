import DaemonHarness

/// What a terminal shows, of the control sequences that locwatch writes.
struct ScreenImage {
  private var cells: [[Character]]
  private var row = 0
  private var column = 0
  /// Whether the alternate screen is shown.
  private(set) var isAlternate = false
  private(set) var isCursorVisible = true

  /// - Parameters:
  ///   - text: What was written since the start of the terminal.
  ///   - rows: The size of the screen now.
  init(_ text: String, rows: Int, columns: Int) {
    cells = Self.blank(rows, columns)
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\u{1b}": obey(&rest)
      case "\r": column = 0
      case "\n": row += 1
      default: put(Character(scalar))
      }
    }
  }

  /// The rows, without the blanks at their ends.
  var lines: [String] {
    cells.map { String($0.reversed().drop { $0 == " " }.reversed()) }
  }

  var text: String { lines.joined(separator: "\n") }

  private static func blank(_ rows: Int, _ columns: Int) -> [[Character]] {
    [[Character]](repeating: [Character](repeating: " ", count: columns), count: rows)
  }

  private mutating func put(_ character: Character) {
    if cells.indices.contains(row), cells[row].indices.contains(column) {
      cells[row][column] = character
    }
    column += 1
  }

  private mutating func obey(_ rest: inout Substring.UnicodeScalarView) {
    guard rest.popFirst() == "[" else { return }
    var parameters = ""
    while let scalar = rest.popFirst() {
      guard ("@"..."~").contains(scalar) else {
        parameters.unicodeScalars.append(scalar)
        continue
      }
      let numbers = parameters.split(separator: ";").compactMap { Int($0) }
      switch (parameters, scalar) {
      case ("?1049", "h"):
        isAlternate = true
        cells = Self.blank(cells.count, cells.first?.count ?? 0)
      case ("?1049", "l"): isAlternate = false
      case ("?25", _): isCursorVisible = scalar == "h"
      case ("2", "J"): cells = Self.blank(cells.count, cells.first?.count ?? 0)
      case (_, "H"):
        (row, column) = ((numbers.first ?? 1) - 1, (numbers.dropFirst().first ?? 1) - 1)
      default: break
      }
      return
    }
  }
}

extension ChildProcess {
  /// What the terminal of this process shows.
  func screen(rows: Int = 24, columns: Int = 80) -> ScreenImage {
    ScreenImage(output.text, rows: rows, columns: columns)
  }

  /// Waits until the terminal shows a text.
  func waitForScreen(
    _ part: String, rows: Int = 24, columns: Int = 80
  ) async throws {
    try await waitUntil("'\(part)' on the screen") {
      let screen = screen(rows: rows, columns: columns)
      return screen.isAlternate && screen.text.contains(part)
    }
  }
}
