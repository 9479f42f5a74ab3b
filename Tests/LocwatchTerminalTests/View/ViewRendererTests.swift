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
      "no gpsd accepts connections there\nIs gpsd running? It starts with gpsd.socket.")
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
  private func edges(_ status: Playback.Status, isOver: Bool = false) -> [String] {
    let lines = ViewSamples.shown(columns: 80, rows: 24) { content in
      content.playback = status
      content.isOver = isOver
      content.notice = "advice"
    }
    return [lines[0], lines[23]]
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
      edges(status { $0.notice = .goingBack(share: 0.4399) }, isOver: true)[1]
        == " Going back to 2026-11-20 07:07:00 UTC: 43 %")
    #expect(
      edges(status(), isOver: true)[1] == " End of the recording: Left goes back, q quits")
    #expect(
      edges(status { $0.canGoBack = false }, isOver: true)[1] == " End of the recording: q quits")
    #expect(edges(status { $0.isSeeking = true }, isOver: true)[1] == " advice")
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
