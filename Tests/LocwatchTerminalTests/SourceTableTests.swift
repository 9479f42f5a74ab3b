import GPSDLocation
import LocationCore
import LocwatchSystem
import Testing

@testable import LocwatchTerminal

/// Fault 67.
@Suite struct `The table of sources` {
  private func row(_ name: String) -> SourceRow {
    var status = LiveStatus(state: .lost)
    status.duration = .seconds(3)
    return SourceRow(name: name, status: status)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 65_535])
  func `never scrolls, however low the terminal is`(height: Int) {
    let rows = (0..<10).map { row("s\($0)") }
    let lines = SourceTable.lines(of: rows, (120, height), TerminalStyle()).map(\.text)
    #expect(lines.count <= max(3, height - 1))
    #expect(lines[1].hasPrefix("s0"))
    #expect(lines.last == (height > 11 ? "s9      lost   3.0 s" : lines.last))
  }

  @Test(arguments: [0, 1, 2, 3, 8, 9, 10, 40, 65_535])
  func `fits, however narrow the terminal is`(columns: Int) {
    let rows = (0..<10).map { row("source \($0)") }
    let lines = SourceTable.lines(of: rows, (columns, 5), TerminalStyle())
    for line in lines {
      #expect(line.width <= max(1, columns - 1))
      #expect(line.text.displayWidth == line.width)
    }
    #expect(lines.count == 4)
  }

  @Test func `colours a state that is not cut off`() {
    var style = TerminalStyle()
    style.usesColor = true
    let rows = [row("a")]
    func state(_ columns: Int) -> String {
      SourceTable.lines(of: rows, (columns, 24), style)[1].text
    }
    #expect(state(100).contains("\u{1b}["))
    #expect(!state(11).contains("\u{1b}["))
    let lines = SourceTable.lines(of: rows, (100, 24), style)
    #expect(!lines[0].text.contains("\u{1b}["))
    #expect(lines[1].width == "a       lost   3.0 s".count)
  }
}
