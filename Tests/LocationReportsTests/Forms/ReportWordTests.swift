import LocationCore
import LocationSamples
import Testing

import LocationFormats
@testable import LocationReports
@testable import LocationText

@Suite struct `The words and scales of a report` {
  @Test(arguments: [
    (0.4, "0 s"), (0.5, "1 s"), (59.4, "59 s"), (59.5, "1 min"), (72, "1 min 12 s"),
    (130, "2 min 10 s"), (3599.4, "59 min 59 s"), (3599.5, "1 h"), (7500, "2 h 05 min"),
    (7800, "2 h 10 min"), (90_061, "25 h 01 min"),
  ])
  func `have durations for people`(seconds: Double, words: String) {
    #expect(ReportText.people(seconds: seconds) == words)
  }

  @Test(arguments: [
    (0.012, "12 ms"), (0.5, "500 ms"), (0.999, "999 ms"), (1, "1 s"), (1.5, "1.5 s"), (20, "20 s"),
  ])
  func `have short durations`(seconds: Double, words: String) {
    #expect(Text.duration(seconds: seconds) == words)
    #expect(Text.duration(.seconds(seconds)) == words)
  }

  private func report(losses: Int, isAboutReference: Bool = false) -> LocationReport {
    var report = LocationReport(
      reference: isAboutReference ? .init(Coordinate(latitude: 1, longitude: 2)!) : nil)
    for loss in 0...losses {
      let second = Moment(uptime: .seconds(100 * loss))
      for (state, moment) in [
        (LocationState.fix2D, second), (.lost, second.advanced(by: .seconds(60))),
      ] where state == .fix2D || loss < losses {
        report.add(.state(StateChange(state, of: .receiver("a"), at: moment)), at: moment)
        guard state == .fix2D else { continue }
        let coordinate = Coordinate(latitude: 1, longitude: 2)!
        report.add(
          .fix(LocationFix(coordinate: coordinate, mode: .fix2D, device: "a")), at: moment)
      }
    }
    report.end(at: Moment(uptime: .seconds(100 * losses + 60)))
    return report
  }

  @Test(arguments: [
    (0, "a fix for 100.0 % of 1 min; first fix after 0 s; no outage."),
    (1, "a fix for 75.0 % of 2 min 40 s; first fix after 0 s; 1 outage of 40 s."),
    (2, "a fix for 69.2 % of 4 min 20 s; first fix after 0 s; 2 outages, the longest 40 s."),
  ])
  func `count outages`(losses: Int, words: String) {
    for isAboutReference in [false, true] {
      let receiver = report(losses: losses, isAboutReference: isAboutReference).receivers[0]
      let position = isAboutReference ? "the reference's position" : "the same position"
      let spread =
        losses > 0
        ? "All fixes have \(position); "
        : isAboutReference
          ? "There was one fix, 0.0 mm from the reference; " : "There was one fix; "
      #expect(ReportText.sentence(about: receiver) == spread + words)
    }
  }

  @Test(arguments: [
    (0, "There was no fix"), (1, "There was one fix, 11.1 m from the reference"),
    (2, "Half of all fixes lie within 11.1 m of the reference"),
    (19, "Half of all fixes lie within 11.1 m of the reference"),
    (20, "Half of all fixes lie within 11.1 m of the reference, 95 % within 11.1 m"),
  ])
  func `describe the scatter only as far as the fixes suffice`(fixes: Int, words: String) {
    for isFiltered in [false, true] {
      var criteria = FixCriteria()
      if isFiltered { criteria.request.desiredAccuracy = 5 }
      let middle = Coordinate(latitude: 0, longitude: 2)!
      var report = LocationReport(
        reference: .init(middle), countsFigures: true, criteria: criteria)
      let start = Moment(uptime: .seconds(9))
      report.add(.state(StateChange(.searching, of: .receiver("a"), at: start)), at: start)
      for number in 0..<(isFiltered ? fixes + 1 : fixes) {
        var fix = LocationFix(
          coordinate: Coordinate(latitude: 0, longitude: number % 2 == 0 ? 2.0001 : 1.9999)!,
          mode: .fix2D, device: "a")
        fix[.eph] = number < fixes ? 5 : 6
        report.add(.fix(fix), at: start)
      }
      let filtered =
        switch fixes {
        case 0: "No fix counts"
        case 1: "One fix counts, 11.1 m from the reference"
        default: words.replacing("all fixes", with: "the fixes that count")
        }
      let sentence = ReportText.sentence(about: report.receivers[0])
      let isEmpty = fixes == 0 && !isFiltered
      #expect(sentence == (isFiltered ? filtered : words) + (isEmpty ? "." : "; no outage."))
      let note =
        "\(fixes) of \(fixes + 1) fixes count: only those accurate to 5 m. States, availability, "
        + "outages and satellites describe the receiver, whichever fixes count."
      #expect(report.text().contains("  \(note)\n") == isFiltered)
      let bound = note.replacing("5 m", with: "5\u{a0}m")
      #expect(report.page().contains("<p class=\"note\">\(bound)</p>") == isFiltered)
      #expect(report.page().contains("<h3>Accuracy</h3>") == (fixes >= 20))
      #expect(report.json().contains(#""filter":{"accuracy":5.0}"#) == isFiltered)
      #expect(report.json().contains(#","fixesLeftOut":1,"#) == isFiltered)
      #expect(report.json().contains("fixesLeftOut") == isFiltered)
    }
  }

  @Test(
    arguments: [
      (nil, ""), ([], ": no satellite was in view"),
      ([0, 0], ": no satellite had a signal. Check the antenna"),
      ([12, 29.4], ": the strongest signal had 29 dBHz, which is too weak"),
      ([30, 12], ": the strongest signal had 30 dBHz"),
    ] as [([Double]?, String)])
  func `say why there was no fix`(strengths: [Double]?, words: String) {
    let start = Moment(uptime: .seconds(9))
    let satellites = strengths?.enumerated().map { index, strength in
      Satellite(prn: index + 1, signalStrength: strength)
    }
    var report = LocationReport(countsFigures: true)
    report.add(.state(StateChange(.searching, of: .receiver("a"), at: start)), at: start)
    report.add(.event(.sky(SkyView(device: "a", satellites: satellites))), at: start)
    report.end(at: start.advanced(by: .seconds(60)))
    let sentence = ReportText.sentence(about: report.receivers[0])
    #expect(sentence == "There was no fix in 1 min\(words).")
    // The page has one next step.
    #expect(report.page().contains("locwatch --doctor") == !words.hasSuffix("antenna"))
  }

  private static func criteria(
    _ mode: FixMode = .fix2D, quality: FixQuality? = nil, accuracy: Double? = nil,
    minMove: Double? = nil, interval: Duration? = nil
  ) -> FixCriteria {
    var criteria = FixCriteria()
    criteria.request = LocationRequest(
      minimumMode: mode, minimumQuality: quality, desiredAccuracy: accuracy)
    criteria.minMove = minMove
    criteria.interval = interval
    return criteria
  }

  private static var believed: FixCriteria {
    var criteria = criteria()
    criteria.request.onlyBelieved = true
    return criteria
  }

  @Test(arguments: [
    (believed, "believed", #""believed":true"#),
    (criteria(.fix3D), "in 3D", #""fix":"3d""#),
    (criteria(quality: .gps), "of quality gps or better", #""quality":"gps""#),
    (criteria(quality: .rtkFixed), "of quality rtk-fixed or better", #""quality":"rtk-fixed""#),
    (criteria(accuracy: 2.5), "accurate to 2.5 m", #""accuracy":2.5"#),
    (criteria(minMove: 0.0001), "more than 0.0001 m from the one before", #""minMove":0.0001"#),
    (criteria(interval: .seconds(90)), "the first of each 90 s", #""interval":90.0"#),
    (
      criteria(
        .fix3D, quality: .dgps, accuracy: 10, minMove: 3, interval: .milliseconds(500)),
      "in 3D, of quality dgps or better, accurate to 10 m, more than 3 m from the one before, "
        + "the first of each 500 ms",
      #""fix":"3d","quality":"dgps","accuracy":10.0,"minMove":3.0,"interval":0.5"#
    ),
  ])
  func `name the filters`(criteria: FixCriteria, words: String, json: String) {
    var report = LocationReport(reference: nil, countsFigures: false, criteria: criteria)
    let fix = LocationFix(coordinate: Coordinate(latitude: 1, longitude: 2)!, mode: .fix2D)
    report.add(.fix(fix), at: Moment(uptime: .seconds(9)))
    #expect(report.text().contains(" of 1 fixes count: only those \(words). States, "))
    #expect(
      report.json().hasPrefix(#"{"class":"REPORT","version":1,"filter":{\#(json)},"receivers":["#))
  }

  @Test(
    arguments: [
      // Just before midnight, as where the first fix is of midnight and came a tenth of a second later.
      (-0.1, 50.0, "UTC, 2026-07-04", "00:00:00"),
      (0, 50, "UTC, 2026-07-04", "00:00:00"),
      // A file of a day has the midnight at its end.
      (0, 86_399, "UTC, 2026-07-04", "00:00:00"),
      (-7200, 14_400, "UTC, 2026-07-03 to 2026-07-04", "22:00:00"),
      (-7200, 7199, "UTC, 2026-07-03", "22:00:00"),
      (-7200, 7200, "UTC, 2026-07-03 to 2026-07-04", "22:00:00"),
      (-0.6, 0.2, "UTC, 2026-07-03", "23:59:59"), (-0.4, 0.2, "UTC, 2026-07-04", "00:00:00"),
      (0, 864_000, "month and day, UTC", "00:00:00"),
    ] as [(Double, Double, String, String)])
  func `have the days of their ticks`(
    start: Double, length: Double, unit: String, first: String
  ) throws {
    let midnight = try #require(Timestamp(iso8601: "2026-07-04T00:00:00Z"))
    let axis = TimeAxis(
      length: length, beginning: midnight.advanced(by: .seconds(start)), from: 0, to: 300)
    #expect(axis.unit == unit)
    #expect(axis.text(0) == first)
    #expect(TimeAxis(length: length, beginning: nil, from: 0, to: 1).unit == "since the beginning")
  }

  @Test(
    arguments: [
      (1_000_000_000, 1), (1_499_999_999, 1), (1_500_000_000, 2), (499_999_999, 0),
      (-500_000_000, 0),
      (-500_000_001, -1), (-1_500_000_001, -2), (Int64.min, -9_223_372_037),
      (Int64.max, 9_223_372_036),
    ] as [(Int64, Int64)])
  func `have the nearest second`(nanoseconds: Int64, second: Int64) {
    let time = Timestamp(nanosecondsSince1970: nanoseconds)
    #expect(time.nearestSecond == Timestamp(secondsSince1970: second))
  }

  @Test func `say how many outages are left out`() {
    var text = report(losses: 1003).text()
    #expect(text.hasSuffix("  and 3 shorter ones\n"))
    #expect(report(losses: 1003).page().contains(">and 3 shorter ones</p>"))
    text = report(losses: 1000).text()
    #expect(!text.contains("shorter ones") && text.contains("1000 outages, the longest 40 s"))
    #expect(!report(losses: 1000).page().contains("shorter ones"))
  }

  @Test(arguments: [
    (0.0...10, 4, [0.0, 5, 10], "5"), (0...10, 5, [0, 2, 4, 6, 8, 10], "2"),
    (-0.3...0.31, 3, [-0.5, 0, 0.5], "0.0"), (7...7, 4, [7, 7.2], "7.2"),
    (0...0, 4, [0, 0.0005], "0.0005"), (1000...3000, 4, [1000, 1500, 2000, 2500, 3000], "1500"),
    (-5 ... -5, 4, [-5, -4.8], "-4.8"),
  ])
  func `have ticks at round numbers`(
    values: ClosedRange<Double>, count: Int, ticks: [Double], label: String
  ) {
    let axis = Axis(values, from: 0, to: 100, count: count)
    #expect(axis.ticks.count == ticks.count)
    #expect(zip(axis.ticks, ticks).allSatisfy { abs($0 - $1) < 1e-9 }, "\(axis.ticks)")
    #expect(axis.label(axis.ticks[1]) == label)
    #expect(axis.place(axis.low) == 0 && axis.place(axis.high) == 100)
    #expect(axis.place(axis.low - 1) == 0 && axis.place(axis.high + 1) == 100)
    let exact = Axis(exactly: -3...6, from: 10, to: 100, count: 3)
    #expect(exact.ticks == [0, 5] && exact.place(0) == 40 && exact.low == -3 && exact.high == 6)
  }

  @Test func `draw two columns as one if there are more than 400`() {
    for (count, path) in [(400, "M0.5 90L1.5 90 2.5 90"), (401, "M1 90L3 90 5 90")] {
      var columns = FigureColumns()
      for index in 0..<count { _ = columns.column(at: Double(index) / 8) }
      let time = TimeAxis(length: Double(count) / 8, beginning: nil, from: 0, to: Double(count))
      let panel = Panel(columns, time, 0...10, top: 0, height: 100)
      var drawing = Markup()
      let values = (0..<count).map { Extent(0, $0 < 6 ? 1 : 0) }
      panel.band(values, "b1", in: &drawing)
      #expect(drawing.buffer.string.hasPrefix("<path class=\"b1\" d=\"" + path))
    }
  }

  @Test(arguments: [(0, 0), (1, 1), (12, 12), (13, 7), (24, 12), (25, 9), (1024, 12)])
  func `have tables of at most twelve rows`(count: Int, rows: Int) {
    var columns = FigureColumns()
    for index in 0..<count { _ = columns.column(at: Double(index) / 8) }
    let time = TimeAxis(length: 1, beginning: nil, from: 0, to: 1)
    var table = SeriesTable(columns, time)
    table.add("nothing", nil, places: 0)
    table.add("a", (0..<count).map { Extent(Float($0), Float($0)) }, places: 0)
    #expect(table.table.header == ["from", "a"] && table.table.rows.count == rows)
    guard count > 0 else { return }
    let step = (count + 11) / 12
    #expect(table.table.rows[0][1] == (step == 1 ? "0" : "0 to \(step - 1)"))
    let last = (rows - 1) * step
    #expect(
      table.table.rows[rows - 1][1] == (last == count - 1 ? "\(last)" : "\(last) to \(count - 1)"))
  }

  @Test(arguments: [
    (0, "cross"), (11.9, "l1"), (12, "l2"), (29.9, "l2"), (30, "l3"), (35.9, "l3"), (36, "l4"),
    (41.9, "l4"), (42, "l5"), (60, "l5"),
  ])
  func `draw the strength of a signal as lightness`(strength: Double, kind: String) throws {
    var map = ObstructionMap()
    map.add([Satellite(prn: 1, elevation: 12, azimuth: 100, signalStrength: strength)])
    let figures = ReceiverFigures(
      timeline: StateTimeline(), columns: FigureColumns(), traces: SkyTraces(), obstructions: map)
    let figure = try #require(Figure.obstructions(figures))
    // The twentieth cell, of 5 by 6 units, in the third row.
    let path = strength == 0 ? "M131 112.5l3-3m0 3l-3-3" : "M130 114h5v-6h-5z"
    #expect(figure.drawing.buffer.string.contains("<path class=\"\(kind)\" d=\"\(path)\"/>"))
    #expect(
      figure.sentence
        == (strength == 0
          ? "No signal had a strength."
          : "Signals had \(Text.rounded(strength, places: 0)) dBHz on average."))
    #expect(
      figure.table?.rows[2] == [
        "east", strength == 0 ? "–" : Text.rounded(strength, places: 1), "–", "–",
      ])
  }

  @Test(
    arguments: [
      (0.0099, .metric, "millimetres", "9.9"), (0.01, .metric, "centimetres", "1.0"),
      (0.5, .metric, "centimetres", "50.0"), (1, .metric, "metres", "1.000"),
      (0.3048, .imperial, "feet", "1.000"), (0.03048, .nautical, "feet", "0.100"),
    ] as [(Double, UnitSystem, String, String)])
  func `have figures in the unit of the largest`(
    length: Double, units: UnitSystem, unit: String, text: String
  ) throws {
    let place = try #require(Coordinate(latitude: 48, longitude: 11.5))
    let scatter = Scatter(about: place, positionCount: 4, cep50: length)
    let table = ReportText.table(of: scatter, ReportUnits(units))
    #expect(table.unit == unit && table.rows == [["CEP50", text, ""]])
  }

  @Test(
    arguments: [
      (999.4, .metric, "999 m"), (999_900, .metric, "999.9 km"), (1_000_000, .metric, "1000 km"),
      (321, .imperial, "1053 ft"), (321.8688, .imperial, "0.2 mi"),
      (1_609_344, .imperial, "1000 mi"), (370, .nautical, "1214 ft"),
      (370.4, .nautical, "0.2 nmi"), (1_851_000, .nautical, "999.5 nmi"),
    ] as [(Double, UnitSystem, String)])
  func `have ways in the larger unit from a kilometre or a fifth of a mile on`(
    length: Double, units: UnitSystem, text: String
  ) {
    #expect(ReportUnits(units).way(length) == text)
  }

  @Test func `have speeds, errors and heights in the requested units`() {
    let (metric, imperial) = (ReportUnits.metric, ReportUnits(.imperial))
    #expect(metric.speed(9.94 / 3.6) == "9.9 km/h" && metric.speed(9.96 / 3.6) == "10 km/h")
    #expect(imperial.speed(44.704) == "100 mph" && imperial.speedText(2.2352) == "5.0")
    #expect(imperial.length(0.03048) == "0.1 ft" && imperial.height(304.8) == "1000.0 ft")
    #expect(metric.height(304.84) == "304.8 m" && imperial.speedName == "mph")
  }
}
