import Foundation
import GPSDLocation
import LocationCore
import TestSupport
import Testing

@testable import LocationFormats
@testable import LocationText
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// Whole screens, as files in the folder Frames. `make approve FILTER=ViewRendererTests` rewrites them: look
/// at the difference before it is kept.
/// Fault 63.
@Suite struct ViewRendererTests {
  @Test(arguments: [
    (200, 60), (120, 34), (119, 34), (120, 33), (100, 30), (80, 24), (60, 14), (60, 13), (59, 24),
    (40, 12), (20, 5),
  ])
  func `A view makes use of the size of its screen`(columns: Int, rows: Int) throws {
    try expect("\(columns)x\(rows)", ViewSamples.lines(columns: columns, rows: rows))
  }

  @Test(arguments: [(200, 60), (80, 24), (59, 24)])
  func `A view has colours, and what counts is bold`(columns: Int, rows: Int) throws {
    try expect(
      "\(columns)x\(rows)-styles", ViewSamples.canvas(columns: columns, rows: rows).styles)
  }

  @Test func `A terminal without UTF-8 gets plain characters, and units are respected`() throws {
    let lines = ViewSamples.lines(columns: 80, rows: 24) { style in
      style.showsUTF8 = false
      style.units = .nautical
      style.coordinates = .minutes
    }
    #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    try expect("plain-80x24", lines)
  }

  @Test func `A link that failed shows the last position, and counts down`() throws {
    var model = ViewSamples.model
    var failure = Samples.noService
    failure.lastFix = Samples.fix
    failure.time = Samples.time(7, 5)
    failure.retryIn = .seconds(8)
    model.record(.state(failure), at: ViewSamples.now)
    model.show(
      "connection refused: no gpsd listens there\nIs gpsd running? It starts with gpsd.socket.")
    let later = ViewSamples.now.advanced(by: .seconds(3))
    try expect("no-daemon-80x24", ViewSamples.lines(of: model, columns: 80, rows: 24, at: later))
    try expect("no-daemon-20x5", ViewSamples.lines(of: model, columns: 20, rows: 5, at: later))
    model.record(
      .retry(FailedRetry(LocationError(.unreachable), retryIn: .seconds(16), at: later)), at: later)
    let line = ViewSamples.lines(of: model, columns: 80, rows: 24, at: later)[1]
    #expect(line.hasSuffix("no-daemon for 3.0 s, retry in 16 s"))
  }

  @Test func `Several receivers are listed, and a key chooses one of them`() throws {
    var model = ViewSamples.model
    var lost = Samples.lost
    lost.subject = .receiver("/dev/ttyUSB1")
    model.record(.state(lost), at: ViewSamples.now)
    try expect("two-receivers-80x24", ViewSamples.lines(of: model, columns: 80, rows: 24))
    let styles = ViewSamples.canvas(of: model, columns: 80, rows: 24).styles
    #expect(
      styles.filter { $0.hasPrefix("1 ") } == [
        "1 1..<19 bold ansi 32 reversed", "1 20..<36 ansi 31",
      ])
    model.choose(next: 1, at: ViewSamples.now)
    try expect("lost-80x24", ViewSamples.lines(of: model, columns: 80, rows: 24))
  }

  @Test(arguments: [
    (68, "  1 ttyACM0 lost   2 ttyUSB1 lost   3 ttyUSB2 lost   4 ttyUSB3 lost"),
    (67, "  1 ttyACM0 lost   2 ttyUSB1 lost   3 ttyUSB2 lost  ..."),
    (60, "  1 ttyACM0 lost   2 ttyUSB1 lost   3 ttyUSB2 lost  ..."),
    (21, "  1 ttyACM0 lost  ..."), (20, "  1 ttyACM0 lost ..."), (10, "  1 tty..."),
  ])
  func `Receivers without room are replaced by three full stops`(columns: Int, line: String) {
    var model = ViewModel()
    for name in ["ttyACM0", "ttyUSB1", "ttyUSB2", "ttyUSB3"] {
      model.record(.state(.lost, of: "/dev/\(name)"), at: ViewSamples.now)
    }
    let lines = ViewSamples.lines(of: model, columns: columns, rows: 14)
    #expect(lines[columns < 60 ? 0 : 1] == line)
  }

  private static let low = [
    "fix-3d for 2 min", "48.118623 11.517359", "Claimed   ±24.7 m  height ±48.3 m",
    "Speed     41.5 km/h  course 84°", "Quality   dgps  5/9 sats",
    "Time      2026-11-20 07:07:00 UTC", "Height    545.4 m  climb +0.0 m/s",
  ]

  @Test(arguments: 1...8)
  func `A low screen has the values by their importance, and bars from eight rows on`(rows: Int) {
    let bars = [
      "C/N0 dBHz  upper case = used", "40 ▅▅  ▅▅  ▂▂  ▃▃  ▁▁  ▄▄      12  ▂▂",
      "20 ██  ██  ██  ██  ██  ██      ▃▃  ██", "   G2  G5  g29 s33 E11 C23 j2  r7  R8",
    ]
    #expect(
      ViewSamples.lines(columns: 40, rows: rows)
        == (rows < 8 ? Array(Self.low.prefix(rows)) : Self.low.prefix(4) + bars))
  }

  @Test func `A low screen has a message from four rows on, and receivers from seven`() {
    var model = ViewSamples.model
    model.show("advice")
    for rows in [2, 3] {
      #expect(
        ViewSamples.lines(of: model, columns: 40, rows: rows) == Array(Self.low.prefix(rows)))
    }
    #expect(
      ViewSamples.lines(of: model, columns: 40, rows: 4) == Self.low.prefix(3) + [" advice"])
    model = ViewSamples.model
    model.record(.state(.lost, of: "/dev/b"), at: ViewSamples.now)
    #expect(
      ViewSamples.lines(of: model, columns: 40, rows: 6) == Array(Self.low.prefix(6)))
    #expect(
      ViewSamples.lines(of: model, columns: 40, rows: 7)
        == ["  1 ttyACM0 fix-3d   2 b lost"] + Self.low.prefix(6))
  }

  @Test(arguments: [
    (1, "  1 ttyACM0 fix-3d   2 b lost  ..."), (2, "  1 ttyACM0 fix-3d   2 b lost  ..."),
    (3, " ...  2 b lost   3 c lost   4 d lost ..."), (5, " ...  3 c lost   4 d lost   5 e lost"),
  ])
  func `The chosen receiver is listed even if not all fit`(number: Int, line: String) {
    var model = ViewSamples.model
    for name in ["b", "c", "d", "e"] {
      model.record(.state(.lost, of: "/dev/\(name)"), at: ViewSamples.now)
    }
    model.choose(number: number, at: ViewSamples.now)
    #expect(ViewSamples.lines(of: model, columns: 40, rows: 12).first == line)
  }

  @Test(arguments: [(20, 1), (21, 3), (22, 3)])
  func `A message has a line, or three if twenty rows are left for the rest`(
    rows: Int, count: Int
  ) {
    var model = ViewSamples.model
    model.show((1...40).map { "word\($0)" }.joined(separator: " "))
    let lines = ViewSamples.lines(of: model, columns: 59, rows: rows)
    #expect(lines.count { $0.contains("word") } == count)
    #expect(lines[rows - count].hasPrefix(" word1 word2 "))
    #expect(lines.allSatisfy { $0.count <= 58 })
  }

  @Test(arguments: [(80, 24), (40, 12), (20, 5), (25, 8)])
  func `A simulated position is marked at any size`(columns: Int, rows: Int) {
    var model = ViewSamples.model
    var fix = Samples.fix
    fix.quality = .simulated
    model.record(.fix(fix), at: ViewSamples.now)
    for coordinates in CoordinateStyle.allCases {
      let lines = ViewSamples.lines(of: model, columns: columns, rows: rows) {
        $0.coordinates = coordinates
      }
      #expect(lines.contains { $0.contains("SIMULATED") })
    }
  }

  @Test func `A fix that is not current is marked, and a late one shows its age`() {
    var model = ViewSamples.model
    let later = ViewSamples.now.advanced(by: .seconds(30))
    #expect(
      ViewSamples.lines(of: model, columns: 100, rows: 24, at: later)
        .contains { $0.hasSuffix("Time      2026-11-20 07:07:00 UTC  31 s ago") })
    var fix = Samples.fix
    fix.isCurrent = false
    model.record(.fix(fix), at: later)
    #expect(
      ViewSamples.lines(of: model, columns: 100, rows: 24, at: later)
        .contains { $0.hasSuffix("2026-11-20 07:05:12 UTC  not current") })
  }

  @Test func `The end of a recording is shown instead of a message`() {
    var model = ViewSamples.model
    #expect(ViewSamples.lines(of: model, columns: 80, rows: 24).last == "")
    model.show("advice")
    #expect(ViewSamples.lines(of: model, columns: 80, rows: 24).last == " advice")
    model.end()
    #expect(
      ViewSamples.lines(of: model, columns: 80, rows: 24).last == " End of the recording: q quits")
  }

  @Test func `Nothing is drawn outside of a screen, however small`() {
    for columns in [0, 1, 7, 12, 58, 61] {
      for rows in [0, 1, 2, 3, 6, 13, 14, 15, 40] {
        for model in [ViewSamples.model, ViewModel()] {
          let lines = ViewSamples.lines(of: model, columns: columns, rows: rows)
          #expect(lines.count == rows)
          #expect(lines.allSatisfy { $0.displayWidth <= columns })
        }
      }
    }
  }

  @Test(arguments: [
    (1000, 300, 1000, 300), (1001, 24, 1000, 24), (80, 301, 80, 300), (65_535, 65_535, 1000, 300),
  ])
  func `A screen is filled up to 1000 by 300 cells`(
    columns: Int, rows: Int, filledColumns: Int, filledRows: Int
  ) {
    let canvas = ViewRenderer(style: TerminalStyle()).canvas(
      of: ViewSamples.model.content(at: ViewSamples.now), columns: columns, rows: rows)
    #expect(canvas.columns == filledColumns && canvas.rows == filledRows)
    #expect(canvas.lines[0].hasSuffix("q quit"))
  }

  // A replay

  private static let moment = Moment(
    uptime: .seconds(90_061), wall: Samples.time(7, 0).advanced(by: .milliseconds(999)))

  private func status(
    _ speed: Playback.Speed = .times(1), at moment: Moment = Self.moment,
    _ change: (inout Playback.Status) -> Void = { _ in }
  ) -> Playback.Status {
    var status = Playback.Status(moment: moment, speed: speed)
    change(&status)
    return status
  }

  /// The first line of a screen, and its last.
  private func edges(
    _ status: Playback.Status, columns: Int = 80, rows: Int = 24, isOver: Bool = false
  ) -> [String] {
    let lines = ViewSamples.shown(columns: columns, rows: rows) { content in
      content.playback = status
      content.isOver = isOver
      content.notice = "advice"
    }
    return [lines[0], lines[rows - 1]]
  }

  @Test(arguments: [(80, 24), (60, 14), (59, 24), (40, 12), (20, 5)])
  func `A replay is marked, with its time and speed`(columns: Int, rows: Int) throws {
    let lines = ViewSamples.shown(columns: columns, rows: rows) { content in
      content.playback = status(.times(10)) {
        $0.isPaused = true
        $0.notice = .skipped(.seconds(3600 * 3))
      }
    }
    try expect("replay-\(columns)x\(rows)", lines)
  }

  @Test(arguments: [
    (8, "REPLAY"), (9, "REPLAY x1"), (14, "REPLAY x1"), (15, "REPLAY 07:07:00"),
    (17, "REPLAY 07:07:00"), (18, "REPLAY 07:07:00 x1"), (24, "REPLAY 07:07:00 x1"),
    (25, "REPLAY 07:07:00 x1 paused"),
  ])
  func `A narrow replay has whole words`(columns: Int, text: String) {
    let line = edges(status { $0.isPaused = true }, columns: columns, rows: 12)[0]
    #expect(line == text)
  }

  @Test(arguments: [
    (Playback.Speed.times(1), "x1"), (.times(0.25), "x1/4"), (.times(0.5), "x1/2"),
    (.times(2.5), "x2.5"), (.times(0.001), "x0.001"), (.times(1000), "x1000"),
    (.times(1_000_000), "x1000000"), (.maximum, "max"),
  ])
  func `The speed of a replay is a factor`(speed: Playback.Speed, text: String) {
    #expect(
      edges(status(speed))[0].hasPrefix(" REPLAY  2026-11-20 07:07:00 UTC  \(text)  /dev/ttyACM0"))
  }

  @Test func `A replay shows whether it is paused, or seeks another moment`() {
    for (isPaused, isSeeking, word) in [
      (true, false, "paused"), (false, true, "seeking"), (true, true, "seeking"),
    ] {
      let status = status {
        $0.isPaused = isPaused
        $0.isSeeking = isSeeking
      }
      #expect(edges(status)[0].contains("x1  \(word)  /dev/ttyACM0"))
    }
  }

  @Test(arguments: [
    (0, "0:00:00"), (59.999, "0:00:59"), (3723.5, "1:02:03"), (90_061, "25:01:01"), (-5, "0:00:00"),
  ])
  func `Without times of day, a replay has the time since its beginning`(
    seconds: Double, text: String
  ) {
    let moment = Moment(uptime: .milliseconds(Int64(seconds * 1000)))
    #expect(edges(status(at: moment))[0].hasPrefix(" REPLAY  \(text)  x1"))
  }

  @Test func `A replay says what was skipped, that it cannot go back, and its end`() {
    #expect(edges(status())[1] == " advice")
    #expect(
      edges(status { $0.notice = .skipped(.seconds(180)) }, isOver: true)[1]
        == " Skipped 3 min in which nothing was recorded")
    #expect(
      edges(status { $0.notice = .cannotGoBack("a\u{1b}b") })[1]
        == " Cannot go back: a\\u{1b}b can be read only once")
    #expect(
      edges(status(), isOver: true)[1] == " End of the recording: Left goes back, q quits")
    #expect(
      edges(status { $0.canGoBack = false }, isOver: true)[1] == " End of the recording: q quits")
    #expect(edges(status { $0.isSeeking = true }, isOver: true)[1] == " advice")
  }

  @Test func `The keys are shown if there is room`() {
    #expect(
      edges(status(.times(1000)) { $0.isPaused = true })[0].hasSuffix("ACM0    ? keys  q quit"))
    #expect(!edges(status(.times(1000)) { $0.isPaused = true }, columns: 60)[0].contains("keys"))
    #expect(ViewSamples.lines(columns: 60, rows: 14)[0].hasSuffix("  ? keys  q quit"))
  }

  @Test(arguments: [
    (77, "paused  /dev/ttyACM0   ? keys  q quit"), (76, "paused  ttyACM0       ? keys  q quit"),
    (72, "paused  ttyACM0   ? keys  q quit"), (71, "paused           ? keys  q quit"),
    (62, "paused  ? keys  q quit"), (61, "paused         q quit"),
  ])
  func `The keys take precedence over the path of the receiver`(columns: Int, end: String) {
    let line = edges(status(.times(10)) { $0.isPaused = true }, columns: columns)[0]
    #expect(line == " REPLAY  2026-11-20 07:07:00 UTC  x10  \(end)")
  }

  @Test func `A frozen picture is marked at any size`() {
    for (columns, rows) in [(80, 24), (59, 24), (20, 4)] {
      let lines = ViewSamples.shown(columns: columns, rows: rows) { $0.isFrozen = true }
      #expect(lines[0].contains("FROZEN"))
    }
    let low = ViewSamples.shown(columns: 20, rows: 3) { $0.isFrozen = true }
    #expect(!low[0].contains("FROZEN"))
  }

  // The list of keys

  @Test(arguments: [(80, 24, true), (80, 24, false), (40, 12, true), (20, 5, true)])
  func `The keys are listed over the picture`(columns: Int, rows: Int, isReplay: Bool) throws {
    let lines = ViewSamples.shown(columns: columns, rows: rows) { content in
      if isReplay { content.playback = status() }
      content.showsKeys = true
    }
    try expect("keys-\(isReplay ? "replay" : "live")-\(columns)x\(rows)", lines)
  }

  @Test func `The list of keys is plain without UTF-8, and fits on any screen`() {
    for columns in [0, 1, 2, 20, 21, 43, 44, 45, 46, 47, 60, 80] {
      for rows in [0, 1, 2, 5, 10, 11, 12, 13, 24] {
        let lines = ViewSamples.shown(columns: columns, rows: rows, utf8: false) { content in
          content.playback = status()
          content.showsKeys = true
        }
        #expect(lines.count == rows && lines.allSatisfy { $0.displayWidth <= columns })
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
      }
    }
  }

  @Test(arguments: [(59, false), (60, true)])
  func `The list of keys says what the plus sign marks if there is a chart`(
    columns: Int, isSaid: Bool
  ) {
    var canvas = Canvas(columns: columns, rows: 24)
    KeyList(isReplay: false, showsUTF8: true).draw(on: &canvas)
    let line = "│ + in the scatter    the last position  │"
    #expect(canvas.lines.contains { $0.hasSuffix(line) } == isSaid)
  }

  @Test(arguments: [0, 1])
  func `The list of keys cuts no wide character in half`(shift: Int) {
    var canvas = Canvas(columns: 80, rows: 24)
    for row in 0..<24 { canvas.put(String(repeating: "\u{4E2D}", count: 39), shift, row) }
    KeyList(isReplay: true, showsUTF8: true).draw(on: &canvas)
    for row in 0..<24 {
      for column in 0..<79 {
        let isWide = canvas[column, row].scalar.displayWidth == 2
        #expect(isWide == (canvas[column + 1, row].scalar == Cell.rightHalf))
      }
    }
  }

  private func expect(
    _ name: String, _ lines: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Frames/\(name).txt")
    let text = lines.joined(separator: "\n") + "\n"
    if Approval.isGiven {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(text == expected, "\n\(text)", sourceLocation: sourceLocation)
  }
}
