import LocationCore
import LocwatchSystem
import Testing

@testable import LocationFormats
@testable import LocationText
@testable import LocwatchTerminal

@Suite struct FactSheetTests {
  private static let position = "48.118633 11.517333"

  private func sheet(
    _ status: LiveStatus, _ change: (inout TerminalStyle) -> Void = { _ in }
  ) -> FactSheet {
    var style = TerminalStyle()
    change(&style)
    return FactSheet(status: status, style: style)
  }

  private func sheet(
    of fix: LocationFix, _ change: (inout TerminalStyle) -> Void = { _ in }
  ) -> FactSheet {
    sheet(LiveStatus(state: .fix3D, fix: fix), change)
  }

  /// The facts of a fix of which only some values are known.
  private func bare(_ change: (inout LocationFix) -> Void) -> FactSheet {
    var fix = Samples.position(48.118633333, 11.517333333)
    change(&fix)
    return sheet(of: fix)
  }

  // MARK: The state

  // MARK: The facts

  @Test func `The position is bold if it is current, and marked if it is simulated or the last`() {
    var fix = Samples.fix
    var fact = sheet(of: fix).position
    #expect(fact == FactSheet.Fact(label: "Position", parts: [Self.position], style: .bold))
    fix.isCurrent = false
    fact = sheet(of: fix).position
    #expect(fact == FactSheet.Fact(label: "Position", parts: [Self.position]))
    fix.quality = .simulated
    fact = sheet(of: fix).position
    #expect(
      fact
        == FactSheet.Fact(label: "SIMULATED", parts: [Self.position], labelStyle: .alarm))
    var status = LiveStatus(state: .lost)
    status.lastFix = Samples.fix
    fact = sheet(status).position
    #expect(fact == FactSheet.Fact(label: "Position", parts: ["last " + Self.position]))
    status.lastFix = fix
    fact = sheet(status).position
    #expect(
      fact
        == FactSheet.Fact(
          label: "SIMULATED", parts: ["last " + Self.position], labelStyle: .alarm))
    // The current fix comes first.
    status.fix = Samples.flat
    #expect(sheet(status).position.parts == ["-0.500000 -71.000000"])
  }

  @Test(arguments: [
    (nil, []), (Duration.zero, []), (.milliseconds(1999), []), (.seconds(2), ["2.0 s ago"]),
    (.seconds(50_000), ["14 h ago"]),
  ])
  func `The time has its date, and its age from 2 s on`(age: Duration?, parts: [String]) {
    var status = LiveStatus(state: .fix3D, fix: Samples.fix)
    status.age = age
    let time = "2026-11-20 07:05:12 UTC"
    #expect(sheet(status).time == FactSheet.Fact(label: "Time", parts: [time] + parts))
    status.fix?.isCurrent = false
    #expect(sheet(status).time.parts == [time] + parts + ["not current"])
  }

  @Test(arguments: [
    (nil, ["2026-11-20 07:05:12 UTC"]), (Duration.zero, ["07:05:12 UTC", "0.0 s ago"]),
    (.seconds(12 * 3600 - 1), ["07:05:12 UTC", "12 h ago"]),
    (.seconds(12 * 3600), ["2026-11-20 07:05:12 UTC", "12 h ago"]),
  ])
  func `The time of a last fix has its date from half a day on`(age: Duration?, parts: [String]) {
    var status = LiveStatus(state: .lost)
    status.lastFix = Samples.fix
    status.age = age
    #expect(sheet(status).time == FactSheet.Fact(label: "Time", parts: parts))
  }

  @Test func `The time says how late the serial line is`() {
    var sheet = sheet(LiveStatus(state: .fix3D, fix: Samples.fix))
    sheet.lateness = "0.154 s late"
    #expect(sheet.time.parts == ["07:05:12 UTC", "0.154 s late"])
    var status = LiveStatus(state: .lost)
    status.lastFix = Samples.fix
    sheet = self.sheet(status)
    sheet.lateness = "0.154 s late"
    #expect(sheet.time.parts == ["2026-11-20 07:05:12 UTC"])
  }

  @Test func `A fix without a time has an unknown time`() {
    #expect(bare { _ in }.time.parts == ["unknown"])
    var status = LiveStatus(state: .lost)
    status.lastFix = Samples.position(1, 2)
    status.age = .seconds(3)
    #expect(sheet(status).time.parts == ["unknown", "3.0 s ago"])
  }

  @Test func `The height of a 3D fix is above the sea, or else above the ellipsoid`() {
    #expect(sheet(of: Samples.fix).height.parts == ["545.4 m", "climb +0.0 m/s"])
    #expect(bare { $0.ellipsoidalAltitude = 592.3 }.height.parts == ["592.3 m (ellipsoid)"])
    #expect(
      bare { fix in
        fix.mode = .fix2D
        fix.altitude = 545.4
      }.height.parts == [])
    let imperial = sheet(of: Samples.fix) { $0.units = .imperial }
    #expect(imperial.height.parts == ["1789.4 ft", "climb +0.1 ft/s"])
  }

  @Test(arguments: [(0.0, "0.0"), (0.06, "+0.1"), (-1.5, "-1.5"), (1.5, "+1.5")])
  func `A climb has a sign`(climb: Double, text: String) {
    #expect(bare { $0.climbRate = climb }.height.parts == ["climb \(text) m/s"])
  }

  @Test(arguments: [
    (359.4, "359"), (359.5, "0"), (360, "0"), (0, "0"), (0.5, "1"), (84.4, "84"),
  ])
  func `A course is whole degrees, and never 360`(track: Double, degrees: String) {
    #expect(bare { $0.course = track }.motion.parts == ["course \(degrees)°"])
  }

  @Test func `A course at rest is not shown`() {
    #expect(
      bare { fix in
        (fix.speed, fix.course) = (0.05, 84)
      }.motion.parts == ["0.2 km/h"])
  }

  @Test func `The known dilutions are shown, always in the same order`() {
    let all = bare { fix in
      fix[.hdop] = 1.25
      fix[.vdop] = 2.34
      fix[.pdop] = 3.56
    }
    #expect(all.dilution.parts == ["H 1.3", "V 2.3", "P 3.6"])
    #expect(bare { $0[.pdop] = 3 }.dilution.parts == ["P 3.0"])
  }

  @Test(
    arguments: [
      (99.89, 99.99, 100, ["H 99.9", "V -", "P -"]), (1.2, 99.9, nil, ["H 1.2", "V -"]),
      (99.99, 99.99, 99.99, []), (nil, nil, 100, []),
    ] as [(Double?, Double?, Double?, [String])])
  func `A dilution of 99.99 or 100 is one that the receiver does not know`(
    horizontal: Double?, vertical: Double?, position: Double?, parts: [String]
  ) {
    let facts = bare { fix in
      fix[.hdop] = horizontal
      fix[.vdop] = vertical
      fix[.pdop] = position
    }
    #expect(facts.dilution.parts == parts)
  }

  @Test func `The quality comes before the satellites`() {
    #expect(bare { $0.quality = .rtkFixed }.quality.parts == ["rtk-fixed"])
    #expect(sheet(of: Samples.fix).quality.parts == ["8/12 sats"])
    var status = LiveStatus(state: .searching)
    status.satellitesSeen = 4
    #expect(sheet(status).quality.parts == ["4 sats seen"])
  }
}

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
