import Fuzzing
import LocwatchCLI
import LocwatchTerminal
import Testing

@Suite struct `Checks of the fuzzer notice on a screen` {
  /// A canvas with some scalars in its second row.
  private func canvas(_ scalars: [Unicode.Scalar], columns: Int = 4) -> Canvas {
    var canvas = Canvas(columns: columns, rows: 2)
    for (column, scalar) in scalars.enumerated() { canvas[column, 1] = Cell(scalar: scalar) }
    return canvas
  }

  @Test(
    arguments: [
      (["a", "b"], nil), (["\u{4E2D}", "\0"], nil), (["a", "\0"], "half a character at 1, 1"),
      (["\0"], "half a character at 0, 1"), (["\n"], "a line end at 0, 1"),
      (["a", "\u{1B}"], "a control character 27 at 1, 1"),
      (["\u{202E}"], "a character that nobody sees at 0, 1"),
    ] as [([Unicode.Scalar], String?)])
  func `a cell that cannot be shown`(scalars: [Unicode.Scalar], complaint: String?) {
    #expect(CanvasCheck.complaint(about: canvas(scalars), columns: 4, rows: 2) == complaint)
  }

  @Test func `a canvas of another size`() {
    #expect(CanvasCheck.complaint(about: canvas([]), columns: 4, rows: 2) == nil)
    #expect(
      CanvasCheck.complaint(about: canvas([]), columns: 5, rows: 2) == "4 x 2 instead of 5 x 2")
    #expect(
      CanvasCheck.complaint(about: canvas([]), columns: 4, rows: 1) == "4 x 2 instead of 4 x 1")
  }

  @Test(arguments: [
    ("\u{1B}[2J\u{1B}[2;1Hab", nil), ("\u{1B}[2J\u{1B}[2;2Hb\u{1B}[0;1m\u{1B}[2;1Ha", nil),
    ("\u{1B}[2J\u{1B}[2;1Ha", "row 1, column 1 shows   instead of b"),
    ("\u{1B}[2;1Hab", "row 0, column 0 shows ? instead of  "),
    ("\u{1B}[2J\u{1B}[2;3Hab", "row 1, column 0 shows   instead of a"),
    ("\u{1B}[3;1Ha", "a control sequence of which the view knows nothing"),
    ("\u{1B}[2;5Ha", "a control sequence of which the view knows nothing"),
    ("\u{1B}]0;a", "a control sequence of which the view knows nothing"),
    ("\u{1B}[2;4Hab", "a character beyond the edge"), ("a\n", "a control character"),
  ])
  func `what does not draw the frame`(text: String, complaint: String?) {
    var terminal = ModelTerminal(columns: 4, rows: 2)
    #expect(
      terminal.complaint(about: Array(text.utf8), drawing: canvas(["a", "b"])) == complaint)
  }

  @Test func `half of a wide character that was drawn over`() {
    var terminal = ModelTerminal(columns: 4, rows: 2)
    let clear = "\u{1B}[2J"
    let wide = canvas(["\u{4E2D}", "\0"])
    #expect(
      terminal.complaint(about: Array("\(clear)\u{1B}[2;1H\u{4E2D}".utf8), drawing: wide) == nil)
    // Its right half is drawn over, and the left one is thought to be there still.
    let complaint = terminal.complaint(
      about: Array("\u{1B}[2;2Hx".utf8), drawing: canvas(["\u{4E2D}", "x"]))
    #expect(complaint == "row 1, column 0 shows   instead of \u{4E2D}")
  }

  @Test(arguments: [
    ("\u{1B}[2Ka\u{1B}[1;31mb\r\n\u{1B}[0m", nil), ("\u{1B}]0;a\u{7}", "an escape that is no CSI"),
    ("a\u{7}", "a control character 7"), ("\u{1B}[2", "a control sequence without an end"),
    ("\u{202E}", "a character that nobody sees"),
    ("\u{1B}[1\u{1B}", "a control sequence without an end"),
  ])
  func `what a terminal should not be sent`(text: String, complaint: String?) {
    #expect(TerminalCheck.complaint(about: Array(text.utf8)) == complaint)
  }
}
