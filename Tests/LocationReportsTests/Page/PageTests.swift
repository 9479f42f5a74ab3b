import Foundation
import LocationCore
import LocationSamples
import TestSupport
import Testing

import LocationFormats
@testable import LocationReports
@testable import LocationText

/// Fault 77.
@Suite struct `The page of a report` {
  private func at(_ second: Int) -> Moment { Moment(uptime: .seconds(second)) }

  private func time(_ second: Int) -> Timestamp {
    Timestamp(secondsSince1970: 1_700_000_000 + Int64(second))
  }

  private func enter(
    _ state: LocationState, at second: Int, of device: String, _ report: inout LocationReport,
    loss: LossReason? = nil
  ) {
    let change = StateChange(
      state, of: .receiver(device), loss: loss, time: time(second), at: at(second))
    report.add(.state(change), at: at(second))
  }

  /// 100 s: 50 s with a fix on two spots 20 m apart, 10 s without, and 40 s with a better one.
  private func report(device: String = "/dev/ttyUSB0", driver: String = "u-blox") -> LocationReport
  {
    var report = LocationReport(countsFigures: true)
    report.add(.event(.receiver(Receiver(path: device, driver: driver))), at: at(0))
    enter(.fix3D, at: 0, of: device, &report)
    for second in 0..<100 where !(50..<60).contains(second) {
      if second == 60 { enter(.fix3D, at: 60, of: device, &report) }
      var fix = LocationFix(
        coordinate: Coordinate(
          latitude: 48 + (second % 2 == 0 ? 1.0 : -1) * 10 / 111_204, longitude: 11.5)!,
        mode: .fix3D, device: device, time: time(second))
      fix.ellipsoidalAltitude = second % 2 == 0 ? 501 : 499
      fix[.eph] = 12
      fix.verticalError = 3
      fix.speed = 2
      if second >= 60 { fix.quality = .dgps }
      report.add(.fix(fix), at: at(second))
      let sky = SkyView(
        device: device,
        satellites: [
          Satellite(
            prn: 5, gnssID: 0, svID: 5, elevation: 45, azimuth: Double(90 + second / 2),
            signalStrength: 40, isUsed: true),
          Satellite(prn: 65, gnssID: 6, svID: 1, elevation: 0, azimuth: 270),
        ], hdop: 0.9, pdop: 1.5)
      report.add(.event(.sky(sky)), at: at(second))
      if second == 49 { enter(.lost, at: 50, of: device, &report, loss: .noFix) }
    }
    report.end(at: at(100))
    return report
  }

  private func page(_ report: LocationReport, source: String? = nil) -> String {
    ReportPage.text(of: [SourceReport(source, report)], version: "1.2.3").string
  }

  /// The drawing of a figure.
  private func figure(_ name: String, in page: String) -> String {
    let start = page.range(of: "aria-labelledby=\"\(name)-1-t")?.upperBound ?? page.endIndex
    return String(page[start...].prefix { _ in true }).components(separatedBy: "</svg>")[0]
  }

  @Test func `is well formed, and has each figure with a name, a sentence and a table`() throws {
    let page = page(report())
    let names = [
      "states", "obstructions", "sky", "scatter", "heights", "signals", "accuracy", "times",
    ]
    for name in names { #expect(page.contains("<desc id=\"\(name)-1-d\">"), "\(name)") }
    #expect(page.components(separatedBy: "<figure>").count == names.count + 1)
    // Each figure has a table, and what the figures of accuracy mean is one more.
    #expect(page.components(separatedBy: "<details>").count == names.count + 2)
    #expect(!page.contains("NaN") && !page.contains("nan") && !page.contains("inf"))
    // Without the elements that HTML does not close, the body is XML.
    let body = try #require(page.range(of: "<body>")).lowerBound
    let xml = page[body...].replacingOccurrences(of: "</html>", with: "")
    #expect(isWholeXML(xml.utf8))
  }

  @Test(
    arguments: [
      (24.9, 0.9, []), (24.9, 1, ["times"]), (25.1, 0, ["track", "times"]),
    ] as [(Double, Double, [String])])
  func `draws a track of 25 m and a speed of 1 m/s`(
    metres: Double, speed: Double, names: [String]
  ) {
    var report = LocationReport(countsFigures: true)
    for second in 0..<20 {
      var fix = LocationFix(
        coordinate: Coordinate(
          latitude: 48 + (second % 2 == 0 ? 1 : -1) * metres / 111_204, longitude: 11.5)!,
        mode: .fix3D, time: time(second))
      fix.speed = speed
      report.add(.fix(fix), at: at(second))
    }
    report.end(at: at(20))
    #expect(!report.receivers[0].hasMoved)
    let page = page(report)
    #expect(["track", "times"].filter { page.contains("id=\"\($0)-1-d\"") } == names)
  }

  @Test func `lets a browser apply only its own style`() throws {
    let page = page(report())
    let style = page.components(separatedBy: "<style>")[1].components(separatedBy: "</style>")[0]
    #expect(page.contains("content=\"default-src 'none'; style-src '\(try digest(of: style))'\""))
    #expect(!page.contains("style="))
  }

  /// Returns the SHA-256 of a text as a Content-Security-Policy has it.
  private func digest(of text: String) throws -> String {
    let file = try TemporaryFile(text)
    let digits = try ProgramOutput(of: "sha256sum", [file.path]).text.prefix(64)
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(digits.dropFirst($0).prefix(2), radix: 16)
    }
    return "sha256-" + Data(bytes).base64EncodedString()
  }

  @Test func `is written in pieces`() {
    let report = report()
    var pieces: [String] = []
    ReportPage.write([SourceReport("van", report)]) { pieces.append($0.string) }
    // One ends with each of the eight figures.
    #expect(pieces.count == 9)
    #expect(pieces.dropLast().allSatisfy { $0.hasSuffix("</figure>\n") })
    #expect(pieces.joined() == ReportPage.text(of: [SourceReport("van", report)]).string)
  }

  @Test func `of a trip is handed over in pieces, of one figure each`() {
    var pieces: [String] = []
    ReportPage.write([SourceReport(nil, ReportStory.trip.report)]) { pieces.append($0.string) }
    // The track, three figures of the trip, three of the accuracy, and what is below them.
    #expect(
      pieces.map { $0.components(separatedBy: "<figure").count - 1 } == [1, 1, 1, 1, 1, 1, 1, 0])
    #expect(pieces.dropLast().allSatisfy { $0.hasSuffix("</figure>\n") })
    #expect(pieces.joined() == ReportStory.trip.report.page())
  }

  @Test(arguments: [(3599, "100.0"), (3600, "100.00")])
  func `has hundredths of a percent from an hour on`(seconds: Int, share: String) {
    var report = LocationReport(countsFigures: true)
    enter(.fix3D, at: 0, of: "a", &report)
    report.end(at: at(seconds))
    for row in ["with a fix", "with a fix in 3D"] {
      #expect(
        page(report).contains("<th scope=\"row\">\(row)</th><td>\(share)\u{a0}%</td></tr>"))
    }
  }

  @Test func `has the labels of an axis for which there is room`() {
    func labels(_ end: Double) -> String {
      var drawing = Markup()
      TimeAxis(length: 10, beginning: nil, from: 0, to: end).drawLabels(in: &drawing, y: 50)
      return drawing.buffer.string
    }
    func label(_ text: String, _ x: String) -> String {
      "<text x=\"\(x)\" y=\"50\" class=\"m\">\(text)</text>"
    }
    func unit(_ end: Int) -> String {
      "<text x=\"\(end)\" y=\"64\" class=\"e u\">since the beginning</text>"
    }
    // A character is 6.6 units wide, 3 are between two labels, and the last one ends 6 beyond the axis.
    let narrow = [label("0 s", "9.9"), label("4 s", "40"), label("8 s", "80"), unit(100)]
    #expect(labels(100) == narrow.joined())
    let wide = [
      label("0 s", "9.9"), label("2 s", "80"), label("4 s", "160"), label("6 s", "240"),
      label("8 s", "320"), label("10 s", "392.8"), unit(400),
    ]
    #expect(labels(400) == wide.joined())
  }

  @Test(
    arguments: [
      (2999, .metric, "distance, m", ["0", "1000", "2000"], "1234 m"),
      (3000, .metric, "distance, km", ["0", "1", "2", "3"], "1.2 km"),
      (2999, .imperial, "distance, ft", ["0", "2000", "4000", "6000", "8000"], "4049 ft"),
      (3000, .imperial, "distance, mi", ["0.0", "0.5", "1.0", "1.5"], "0.8 mi"),
      (9260, .nautical, "distance, nmi", ["0", "1", "2", "3", "4", "5"], "0.7 nmi"),
    ] as [(Double, UnitSystem, String, [String], String)])
  func `has scales of the way in the unit that fits`(
    metres: Double, units: UnitSystem, unit: String, ticks: [String], text: String
  ) {
    let axis = WayAxis(metres, ReportUnits(units), from: 100, to: 300)
    #expect(axis.unit == unit && axis.ticks.map(\.label) == ticks && axis.text(1234.2) == text)
    #expect(axis.start == 100 && axis.end == 300 && axis.longestSilence == .infinity)
    #expect(axis.place(0) == 100 && abs(axis.place(metres / 4) - 150) < 1e-9)
    // A tick is in metres, whatever its label is in.
    let second = axis.ticks[1].seconds
    #expect(abs(axis.place(second) - (100 + 200 * second / metres)) < 1e-9)
  }

  @Test(arguments: [
    ("17 m", "17\u{a0}m"), ("97 km/h, 0.5 s.", "97\u{a0}km/h, 0.5\u{a0}s."),
    ("(95 % within 1 h 05 min)", "(95\u{a0}% within 1\u{a0}h 05\u{a0}min)"),
    ("& 3 ft", "&amp; 3\u{a0}ft"),
    ("314 in 3D, 3 metres, 2026 12:05", "314 in 3D, 3 metres, 2026 12:05"),
    (" a m  3 m ", " a m  3\u{a0}m "), ("", ""),
  ])
  func `has no line that ends between a number and its unit`(text: String, written: String) {
    var markup = Markup()
    markup.add(prose: text)
    #expect(markup.buffer.string == written)
  }

  @Test func `has the same numbers as the text`() {
    let (report, page) = (report(), page(report()))
    let receiver = report.receivers[0]
    var sentence = Markup()
    sentence.add(prose: ReportText.sentence(about: receiver))
    #expect(page.contains("<p class=\"lead\">\(sentence.buffer.string)</p>"))
    for row in ReportText.table(of: receiver.scatter!).rows {
      let cells = row.dropFirst().map { "<td>\($0)</td>" }.joined()
      #expect(page.contains("<tr><th scope=\"row\">\(row[0])</th>\(cells)</tr>"))
    }
  }

  @Test func `draws states as bars, by their quality`() {
    let drawing = figure("states", in: page(report()))
    // 388 units are 100 s.
    #expect(drawing.contains(#"<path class="l3" d="M6 64h194v-52h-194z"/>"#))
    #expect(drawing.contains(#"<path class="l4" d="M238.8 64h155.2v-52h-155.2z"/>"#))
    #expect(drawing.contains(#"<path class="lost" d="M200 64h38.8v-8h-38.8z"/>"#))
    #expect(drawing.contains(#"<path class="outage" d="M219.4 67l4 7h-8z"/>"#))
  }

  @Test func `draws satellites with north up and east on the right`() {
    let drawing = figure("sky", in: page(report()))
    // 86 units are the half way to the horizon; 139 degrees are in the south-east.
    #expect(
      drawing.contains(
        #"<path class="sat cG" transform="translate(256.4 260.9)" d="\#(Constellation.Shape.circle.path)"/>"#
      ))
    // One that is not used is hollow, and on the western horizon.
    #expect(
      drawing.contains(
        #"<path class="sat h" transform="translate(28 196)" d="\#(Constellation.Shape.diamond.path)"/>"#
      ))
    #expect(drawing.contains(#"<path class="trace cG" d="M286 196L285.7 203.5L284.7 210.9"#))
    #expect(drawing.contains(">G05</text>") && drawing.contains(">R01</text>"))
  }

  @Test func `draws the mean strength of each part of the sky`() {
    let drawing = figure("obstructions", in: page(report()))
    // From 90 to 139 degrees, without those of the outage, are nine cells at 45 degrees of elevation, each 5 by 6
    // units.
    let cells = (18..<28).filter { $0 != 23 }.map { "M\(30 + 5 * $0) 72h5v-6h-5z" }.joined()
    #expect(drawing.contains(#"<path class="l4" d="\#(cells)"/>"#))
    #expect(drawing.contains(#"<path class="cross" d="M301 124.5l3-3m0 3l-3-3"/>"#))
  }

  @Test func `draws the scatter in metres`() {
    let drawing = figure("scatter", in: page(report()))
    // 30 m are 162 units: both spots are 10 m from the mean.
    #expect(drawing.contains(#"<circle class="c50" cx="200" cy="180" r="54"/>"#))
    #expect(drawing.contains(#"<circle class="c95" cx="200" cy="180" r="54"/>"#))
    #expect(
      drawing.contains(
        #"<ellipse class="ell" rx="0" ry="132.2" transform="translate(200 180) rotate(0)"/>"#))
    #expect(drawing.contains("M200 126h0M200 234h0"))
  }

  @Test func `draws claimed errors beside observed ones`() {
    let page = page(report())
    let drawing = figure("accuracy", in: page)
    #expect(
      drawing.contains(
        "95\u{a0}% of the positions were within 10.0\u{a0}m of their mean; median claimed error "
          + "12.0\u{a0}m. Heights: 95\u{a0}% within 1.0\u{a0}m; claimed 3.0\u{a0}m. The claimed error"
      ))
    #expect(drawing.contains(">claimed</text>") && drawing.contains(">observed</text>"))
    #expect(page.contains("<title id=\"accuracy-1-t\">Observed and claimed error.</title>"))
    #expect(!drawing.contains("beyond its scale"))
    // The line is interrupted by the outage.
    let claimed = drawing.components(separatedBy: #"<path class="b3" d=""#).dropFirst(2).first ?? ""
    #expect(claimed.prefix { $0 != "\"" }.filter { $0 == "M" }.count == 2)
  }

  @Test func `draws no observed error of a repeated position`() {
    var report = LocationReport(countsFigures: true)
    enter(.fix3D, at: 0, of: "a", &report)
    for second in 0..<100 {
      var fix = LocationFix(
        coordinate: Coordinate(latitude: 48, longitude: 11.5)!, mode: .fix3D, device: "a",
        time: time(second))
      fix[.eph] = 12
      report.add(.fix(fix), at: at(second))
    }
    report.end(at: at(100))
    let drawing = figure("accuracy", in: page(report))
    #expect(drawing.contains("Median claimed error 12.0\u{a0}m. The claimed error"))
    #expect(drawing.contains(">claimed</text>") && !drawing.contains(">observed</text>"))
  }

  @Test func `of a receiver without a fix has only states and a sky`() {
    var report = LocationReport(countsFigures: true)
    enter(.searching, at: 0, of: "a", &report)
    report.end(at: at(3600))
    let page = page(report)
    let step =
      "<p class=\"note\">To see what to do, run locwatch --doctor on the machine with the receiver.</p>"
    #expect(page.contains("There was no fix in 1\u{a0}h.</p>\(step)"))
    #expect(page.components(separatedBy: "<figure>").count == 2)
    #expect(
      self.page(LocationReport(countsFigures: true)).contains(
        "<h1 id=\"title\">No receiver reported</h1></header><main>\n"
          + "<p class=\"lead\">gpsd was not reached, no receiver was connected, or it sent nothing.</p>"
          + "\(step)</main>"))
    let sources = ["bow", "stern"].map { SourceReport($0, LocationReport()) }
    #expect(
      ReportPage.text(of: sources).string.contains(
        "<h1 id=\"title\">bow and stern: no receiver reported</h1></header><main>\n"
          + "<p class=\"lead\">bow: no receiver reported.</p>"
          + "<p class=\"lead\">stern: no receiver reported.</p>\(step)</main>"))
  }

  @Test func `shows received names only as text`() throws {
    let device = "/dev/<script>alert(1)</script>\u{1b}[2J\u{202e}\"'&amp;"
    let long = String(repeating: "x", count: 2000)
    let page = page(report(device: device, driver: long), source: "<b onload='x'>")
    #expect(!page.contains("<script") && !page.contains("<b on") && !page.contains("\u{1b}"))
    #expect(!page.contains("\u{202e}") && !page.contains(long))
    #expect(
      page.contains(
        #"/dev/&lt;script&gt;alert(1)&lt;/script&gt;\u{1b}[2J\u{202e}&quot;&apos;&amp;amp;"#))
    #expect(page.contains(String(repeating: "x", count: 128) + "..."))
    #expect(
      page.contains(
        "<h1 id=\"title\">&lt;b onload=&apos;x&apos;&gt;: Observation of 14 Nov 2023, 1\u{a0}min 40\u{a0}s</h1>"
      ))
  }

  @Test func `has scales with round numbers`() {
    let axis = Axis(0.3...9.1, from: 100, to: 0)
    #expect(axis.ticks == [0, 5, 10] && axis.place(5) == 50 && axis.place(20) == 0)
    #expect(
      Axis(0...0.4, from: 0, to: 1).ticks.map { Axis(0...0.4, from: 0, to: 1).label($0) } == [
        "0.0", "0.1", "0.2", "0.3", "0.4",
      ])
    #expect(Axis(7...7, from: 0, to: 1).ticks.count > 1)
    #expect(Axis(exactly: -3...3, from: 0, to: 6).ticks == [-2, 0, 2])
  }

  @Test func `has times of day if the receiver reported the time`() {
    let clock = TimeAxis(length: 3600, beginning: time(0), from: 0, to: 100)
    #expect(clock.ticks.map(\.label) == ["22:15", "22:30", "22:45", "23:00"])
    let first = 100.0 * 100 / 3600
    #expect(clock.place(clock.ticks[0].seconds) == first)
    #expect(clock.unit == "UTC, 2023-11-14")
    let none = TimeAxis(length: 10, beginning: nil, from: 0, to: 100)
    #expect(none.ticks.map(\.label) == ["0 s", "2 s", "4 s", "6 s", "8 s", "10 s"])
    let days = TimeAxis(length: 30 * 86_400, beginning: time(0), from: 0, to: 100)
    #expect(days.ticks.map(\.label).count <= 6 && days.unit == "month and day, UTC")
  }

  @Test func `has no times of day beyond the year 2262`() {
    let last = Timestamp(nanosecondsSince1970: .max)
    let short = TimeAxis(
      length: 60, beginning: last.advanced(by: .seconds(-30)), from: 0, to: 100)
    #expect(short.ticks.map(\.label) == ["23:47:00", "23:47:15"])
    let long = TimeAxis(length: 9_223_372_036, beginning: last, from: 0, to: 100)
    #expect(long.ticks.isEmpty && long.text(9e9) == "23:47:16")
    let first = Timestamp(nanosecondsSince1970: .min)
    #expect(
      TimeAxis(length: 2, beginning: first, from: 0, to: 100).ticks.map(\.label) == [
        "00:12:44", "00:12:45",
      ])
    let all = TimeAxis(length: 18_446_744_073, beginning: first, from: 0, to: 100)
    #expect(all.ticks.map(\.label) == ["03-06", "02-02", "01-01", "11-29", "10-29"])
  }
}
