import GPSDLocation
import LocationCore
import LocwatchSystem
import Testing

@testable import LocwatchTerminal

/// Fault 67.
@Suite struct `The table of sources` {
  private func row(
    _ name: String, _ state: LocationState, _ change: (inout LiveStatus) -> Void = { _ in }
  ) -> SourceRow {
    var status = LiveStatus(state: state)
    status.duration = .seconds(3)
    change(&status)
    return SourceRow(name: name, status: status)
  }

  private func fix() -> LocationFix {
    var fix = LocationFix(
      coordinate: Coordinate(latitude: 48.1, longitude: 11.5)!, mode: .fix3D)
    fix[.eph] = 14.1
    fix.speed = 1.5
    fix.quality = .dgps
    return fix
  }

  private func lines(
    _ rows: [SourceRow], columns: Int = 120, height: Int = 24
  ) -> [String] {
    SourceTable.lines(of: rows, (columns, height), TerminalStyle()).map(\.text)
  }

  @Test func `has the worst rows first, and aligns its columns`() {
    var good = row("boat", .fix3D) { status in
      status.fix = fix()
      status.age = .milliseconds(300)
      status.satellitesUsed = 8
      status.satellitesSeen = 12
    }
    good.strength = 41.6
    good.outages = 2
    let rows = [
      good, row("a", .searching), row("b", .noService), row("car", .lost) { $0.device = "/dev/x" },
    ]
    #expect(
      lines(rows) == [
        "source      state      for    position             accuracy  quality  age    sats  dBHz  speed     outages",
        "b           no-daemon  3.0 s",
        "car /dev/x  lost       3.0 s",
        "a           searching  3.0 s",
        "boat        fix-3d     3.0 s  48.100000 11.500000  14.1 m    dgps     0.3 s  8/12  42    5.4 km/h  2",
      ])
    #expect(lines(rows, columns: 21)[4] == "boat        fix-3d")
  }

  @Test func `leaves out what matters least if the terminal is narrow`() {
    let good = row("boat", .fix3D) { status in
      status.fix = fix()
      status.age = .milliseconds(300)
      status.satellitesUsed = 8
      status.satellitesSeen = 12
    }
    let bad = row("car", .noService) { status in
      status.retryIn = .seconds(4)
      status.failure = "cannot connect to car:2947: Connection refused"
    }
    func header(_ columns: Int) -> String { lines([good, bad], columns: columns)[0] }
    #expect(
      lines([good, bad], columns: 80) == [
        "source  state      position             accuracy  quality  age    sats  outages",
        "car     no-daemon  retry in 4 s, cannot connect to car:2947: Connection refused",
        "boat    fix-3d     48.100000 11.500000  14.1 m    dgps     0.3 s  8/12",
      ])
    #expect(header(79) == "source  state      position             accuracy  quality  age    sats")
    #expect(header(70) == "source  state      position             accuracy  age    sats")
    #expect(header(55) == "source  state      position             age")
    #expect(header(58) == "source  state      position             accuracy  age")
    #expect(header(53) == "source  state      position             age")
    #expect(header(44) == "source  state      position")
  }

  @Test(
    arguments: [
      (0, [], nil), (1, [0], nil), (6, [0, 1, 2, 3, 4, 5], nil),
      (7, [0, 1, 2, 3, 4], "and 2 more"),
      (8, [0, 1, 2, 3, 4], "and 3 more"),
    ] as [(Int, [Int], String?)])
  func `shows as many rows as there is room for`(
    count: Int, shown: [Int], rest: String?
  ) {
    let rows = (0..<count).map { row("s\($0)", .fix3D) }
    let lines = lines(rows, height: 8)
    #expect(
      lines.dropFirst().prefix(shown.count).map { $0.prefix { $0 != " " } }
        == shown.map { "s\($0)" })
    #expect(lines.count == 1 + shown.count + (rest == nil ? 0 : 1))
    if let rest { #expect(lines.last?.hasPrefix(rest) == true) }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 65_535])
  func `never scrolls, however low the terminal is`(height: Int) {
    let rows = (0..<10).map { row("s\($0)", .lost) }
    let lines = lines(rows, height: height)
    #expect(lines.count <= max(3, height - 1))
    #expect(lines[1].hasPrefix("s0"))
    #expect(lines.last == (height > 11 ? "s9      lost   3.0 s" : lines.last))
  }

  @Test(arguments: [0, 1, 2, 3, 8, 9, 10, 40, 65_535])
  func `fits, however narrow the terminal is`(columns: Int) {
    let rows = (0..<10).map { row("source \($0)", .lost) }
    let lines = SourceTable.lines(of: rows, (columns, 5), TerminalStyle())
    for line in lines {
      #expect(line.width <= max(1, columns - 1))
      #expect(line.text.displayWidth == line.width)
    }
    #expect(lines.count == 4)
  }

  @Test func `shows the first hint below the rows`() {
    var lost = row("car", .noService)
    lost.hint = "Is gpsd running there?\necho 'a'\u{1b}"
    var worse = row("boat", .searching)
    worse.hint = "Wait."
    #expect(
      lines([worse, row("van", .fix3D), lost], columns: 21).dropFirst(4) == [
        "car: Is gpsd running", "there?", "echo 'a'\\u{1b}",
      ])
    #expect(lines([row("a", .fix3D), worse]).last == "boat: Wait.")
    // With all rows, and the header and the line of the cursor, there is no room for three lines.
    #expect(lines([worse, row("van", .fix3D), lost], columns: 21, height: 8).count == 7)
    #expect(lines([worse, row("van", .fix3D), lost], columns: 21, height: 7).count == 4)
    // Four rows are enough for a hint.
    let many = [lost] + (0..<20).map { row("s\($0)", .fix3D) }
    #expect(lines(many, columns: 21, height: 9).dropFirst(5).first == "car: Is gpsd running")
    #expect(lines(many, columns: 21, height: 8).last == "and 16 more, 16 with")
  }

  @Test func `counts the fixes among the rows that are left out`() {
    let rows = [row("a", .lost), row("b", .fix2D), row("c", .searching), row("d", .fix3D)]
    #expect(lines(rows, height: 4).last == "and 3 more, 2 with a fix")
    #expect(lines(rows, columns: 8, height: 4).last == "and 3 m")
  }

  @Test func `colours a state that is not cut off`() {
    var style = TerminalStyle()
    style.usesColor = true
    let rows = [row("a", .lost)]
    func state(_ columns: Int) -> String {
      SourceTable.lines(of: rows, (columns, 24), style)[1].text
    }
    #expect(state(100).contains("\u{1b}["))
    #expect(!state(11).contains("\u{1b}["))
    let lines = SourceTable.lines(of: rows, (100, 24), style)
    #expect(!lines[0].text.contains("\u{1b}["))
    #expect(lines[1].width == "a       lost   3.0 s".count)
  }

  @Test func `makes strange characters in a name visible`() {
    #expect(lines([row("a\u{1b}[2J", .lost)])[1] == #"a\u{1b}[2J  lost   3.0 s"#)
  }
}
