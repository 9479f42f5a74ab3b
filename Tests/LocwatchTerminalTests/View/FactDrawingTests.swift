import LocationCore
import LocwatchSystem
import Testing

@testable import LocationFormats
@testable import LocationText
@testable import LocwatchTerminal

@Suite struct FactDrawingTests {
  private static let fact = FactSheet.Fact(
    label: "Label", parts: ["abcd", "ef", "g"], style: .bold)

  /// Row 1 from column 2 on is drawn in.
  private func drawn(_ fact: FactSheet.Fact, columns: Int) -> Canvas {
    var canvas = Canvas(columns: 60, rows: 3)
    fact.draw(on: &canvas, in: Area(column: 2, row: 1, columns: columns, rows: 1))
    return canvas
  }

  @Test(arguments: [
    (21, "Label     abcd  ef  g"), (20, "Label     abcd  ef"), (18, "Label     abcd  ef"),
    (17, "Label     abcd"), (14, "Label     abcd"), (13, "abcd  ef  g"), (11, "abcd  ef  g"),
    (10, "abcd  ef"), (8, "abcd  ef"), (7, "abcd"), (3, "abc"), (0, ""),
  ])
  func `If a fact does not fit, its label is left out first`(columns: Int, line: String) {
    let lines = drawn(Self.fact, columns: columns).lines
    #expect(lines == ["", line.isEmpty ? "" : "  " + line, ""])
  }

  @Test func `No part follows one that does not fit`() {
    let fact = FactSheet.Fact(label: "Label", parts: ["a", "too long", "b"])
    #expect(drawn(fact, columns: 16).lines[1] == "  Label     a")
  }

  @Test func `A position is bold only if it is current`() {
    var status = LiveStatus(state: .fix3D, fix: Samples.fix)
    for isCurrent in [true, false] {
      status.fix?.isCurrent = isCurrent
      let position = FactSheet(status: status, style: TerminalStyle()).position
      #expect(position.style == (isCurrent ? .bold : .plain))
    }
  }

  @Test func `An unknown fact is a hyphen`() {
    #expect(
      drawn(FactSheet.Fact(label: "Label", parts: []), columns: 11).lines[1] == "  Label     -")
  }

  @Test(arguments: [(14, "SIMULATED abcd"), (13, "SIMULATED abc"), (6, "SIMULA")])
  func `A label that warns is never left out`(columns: Int, line: String) {
    let fact = FactSheet.Fact(label: "SIMULATED", parts: ["abcd"], labelStyle: .alarm)
    #expect(drawn(fact, columns: columns).lines[1] == "  " + line)
  }

  @Test func `A label that warns is followed by the value after a space`() {
    let fact = FactSheet.Fact(label: "ALARM", parts: ["123456789", "x"], labelStyle: .alarm)
    #expect(drawn(fact, columns: 18).lines[1] == "  ALARM 123456789  x")
  }

  @Test func `The label has its own style, and all parts have the style of the fact`() {
    #expect(
      drawn(Self.fact, columns: 30).styles == [
        "1 2..<7 faint", "1 12..<16 bold", "1 18..<20 bold", "1 22..<23 bold",
      ])
    let alarm = FactSheet.Fact(label: "ALARM", parts: ["1234567"], labelStyle: .alarm)
    #expect(drawn(alarm, columns: 30).styles == ["1 2..<7 bold reversed"])
    #expect(drawn(alarm, columns: 15).styles == ["1 2..<7 bold reversed"])
  }
}
