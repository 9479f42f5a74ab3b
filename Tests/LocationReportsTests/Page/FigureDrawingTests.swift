import LocationCore
import Testing

import LocationFormats
@testable import LocationReports
@testable import LocationText

@Suite struct `The figures over time and the track are drawn` {
  /// Half a second in four columns, which are 88 units wide; the first value after an outage is in the
  /// last one.
  private static let columns: FigureColumns = {
    var columns = FigureColumns()
    for (index, values) in [[1.0, 2], [3, 2], [], [4]].enumerated() {
      let column = columns.column(at: Double(index) / 8)
      if !values.isEmpty { columns.addFix(in: column, afterOutage: index == 3) }
      for value in values {
        columns.add(value, to: .speed, in: column)
        columns.add(value, to: .used, in: column)
        columns.add(value + 4, to: .seen, in: column)
        columns.add(value / 2, to: .hdop, in: column)
        columns.add(value * 5, to: .pdop, in: column)
        columns.add(40 + value, to: .strongestSignal, in: column)
      }
    }
    return columns
  }()

  private static let time = TimeAxis(
    length: 0.5, beginning: nil, from: Panel.left, to: Panel.right)

  private static let scatter: Scatter = {
    var samples = LocationReports.Samples()
    for height in [-2.0, -1, 1, 1] { samples.append(Sample(east: 0, north: 0, height: height)) }
    return Scatter(
      of: samples, center: Coordinate(latitude: 1, longitude: 2)!, heightOrigin: 100,
      datum: .meanSeaLevel, target: (0, 0, nil))
  }()

  private static func positions(
    errors: [Extent] = [], heights: [Extent]? = nil, histogram: Histogram? = nil
  ) -> PositionFigures {
    PositionFigures(
      mean: PlanePoint(east: 0, north: 0), errors: errors, heights: heights, range: 1,
      points: [], density: DensityGrid(), outside: 0, heightHistogram: histogram)
  }

  @Test(arguments: [(0.02, "cm"), (0.9, "cm"), (1, "m"), (20, "m")])
  func `claimed errors in the unit that fits the largest`(error: Double, unit: String) throws {
    var columns = FigureColumns()
    for index in 0..<4 {
      let column = columns.column(at: Double(index) / 8)
      columns.addFix(in: column, afterOutage: false)
      columns.add(error, to: .accuracy, in: column)
    }
    let figure = try #require(Figure.accuracy(nil, nil, columns, Self.time))
    #expect(figure.title == "Claimed error.")
    #expect(figure.drawing.buffer.string.contains(">horizontal error, \(unit)</text>"))
  }

  @Test func `claimed errors as a line, and one between outages as a dash`() throws {
    var columns = FigureColumns()
    for (index, error) in [10.0, 20, nil, 10].enumerated() {
      let column = columns.column(at: Double(index) / 8)
      if error != nil { columns.addFix(in: column, afterOutage: index == 3) }
      columns.add(error, to: .accuracy, in: column)
    }
    let figure = try #require(Figure.accuracy(nil, nil, columns, Self.time))
    // 88 units are 20 m, and a column is 88 units wide. The first path is the legend's.
    #expect(figure.paths("b3") == ["M327.8 16h9v-8h-9z", "M86 66L174 22M349 66h2"])
  }

  /// Four columns with claims, of which the last one differs.
  private static func claimed(
    _ claims: [FigureColumns.Series: (usual: Double, last: Double)]
  ) -> FigureColumns {
    var columns = FigureColumns()
    for index in 0..<4 {
      let column = columns.column(at: Double(index) / 8)
      columns.addFix(in: column, afterOutage: false)
      for (series, claim) in claims {
        columns.add(index < 3 ? claim.usual : claim.last, to: series, in: column)
      }
    }
    return columns
  }

  /// A scale reaches four times the median, and ends at a round number: at 20 m, or at 30 cm.
  @Test(
    arguments: [
      (5, 5, false), (5, 20.01, false), (5, 20.03, true), (5, 4000, true),
      (0.0625, 0.3002, false), (0.0625, 0.3004, true),
    ] as [(Double, Double, Bool)])
  func `claimed errors up to the end of the scale, with a sentence about one beyond it`(
    usual: Double, last: Double, isCut: Bool
  ) throws {
    let sentence = " A claim beyond its scale is drawn at the upper end."
    let series = [FigureColumns.Series.accuracy, .verticalAccuracy]
    for (cut, other) in [(series[0], series[1]), (series[1], series[0])] {
      let alone = Self.claimed([cut: (usual, last)])
      let figure = try #require(Figure.accuracy(nil, nil, alone, Self.time))
      #expect(figure.sentence.hasSuffix(sentence) == isCut)
      let both = Self.claimed([cut: (usual, last), other: (1, 2)])
      let panels = try #require(Figure.accuracy(nil, nil, both, Self.time))
      #expect(panels.sentence.hasSuffix(sentence) == isCut)
      #expect(panels.height == figure.height + 118)
    }
  }

  @Test func `claimed errors up to four times the observed ones`() throws {
    let columns = Self.claimed([.accuracy: (1, 100)])
    let errors = [Extent(2, 4), Extent(10, 10), .none, Extent(0, 1)]
    let figure = try #require(
      Figure.accuracy(Self.scatter, Self.positions(errors: errors), columns, Self.time))
    #expect(figure.title == "Observed and claimed error.")
    #expect(
      figure.sentence
        == "Median claimed error 1.0 m. The claimed error is gpsd's estimate, from the receiver's "
        + "own figure or else from the geometry of the satellites; neither says how often the error "
        + "is larger. A claim beyond its scale is drawn at the upper end.")
    // 88 units are 40 m.
    #expect(
      figure.paths("b1") == [
        "M246 16h9v-8h-9z", "M86 101.2L174 88 350 107.8 350 110 174 88 86 105.6Z",
      ])
    #expect(
      figure.paths("b3") == ["M327.8 16h9v-8h-9z", "M86 107.8L174 107.8 262 107.8 350 22"])
    #expect(figure.table?.header == ["from", "observed", "claimed"])
    #expect(
      figure.table?.rows == [
        ["0 s", "2.0 to 4.0", "1.0"], ["0 s", "10.0", "1.0"], ["0 s", "–", "1.0"],
        ["0 s", "0.0 to 1.0", "100.0"],
      ])
  }

  @Test func `errors of heights without their sign`() throws {
    let columns = Self.claimed([.verticalAccuracy: (2, 2)])
    let heights = [Extent(-3, -1), Extent(-3, 1), Extent(1, 3), Extent(-1, 2)]
    let figure = try #require(
      Figure.accuracy(
        Self.scatter,
        Self.positions(errors: Array(repeating: .none, count: 4), heights: heights), columns,
        Self.time))
    #expect(figure.sentence.hasPrefix("Heights: 2.0 m. The claimed error is gpsd's"))
    #expect(
      figure.table?.header == ["from", "observed", "observed, vertical", "claimed, vertical"])
    #expect(
      figure.table?.rows.map { $0[2] } == ["1.0 to 3.0", "0.0 to 3.0", "1.0 to 3.0", "0.0 to 2.0"])
    #expect(
      Figure.accuracy(
        Self.scatter, Self.positions(errors: Array(repeating: .none, count: 4)), columns, Self.time)
        == nil)
  }

  @Test func `tiny claimed errors on a scale of ten centimetres`() throws {
    let columns = Self.claimed([.accuracy: (0.001, 0.001)])
    let figure = try #require(Figure.accuracy(nil, nil, columns, Self.time))
    // 88 units are 10 cm.
    #expect(figure.paths("g") == ["M42 110H394M42 66H394M42 22H394M42 22V110"])
    #expect(figure.paths("b3").last == "M86 109.1L174 109.1 262 109.1 350 109.1")
  }

  @Test func `values beyond a scale are cut from a thousandth more on`() {
    let panel = Panel(FigureColumns(), Self.time, 0...17, top: 0, height: 100)
    #expect(panel.values.high == 20)
    #expect(!panel.cuts(20) && !panel.cuts(1.001 * 20) && panel.cuts((1.001 * 20).nextUp))
  }

  /// An eighth of a second is a column.
  @Test(arguments: [(1, 40, 1), (1, 41, 2), (20, 60, 1), (20, 61, 2)])
  func `a line across a silence of 5 s or three intervals, and none across a longer one`(
    interval: Int, silence: Int, pieces: Int
  ) {
    let places = [0, interval, 2 * interval, 2 * interval + silence]
    var columns = FigureColumns()
    for place in places { _ = columns.column(at: Double(place) / 8) }
    let count = columns.count
    let time = TimeAxis(length: Double(count) / 8, beginning: nil, from: 0, to: Double(count))
    let panel = Panel(columns, time, 0...10, top: 0, height: 100)
    var drawing = Markup()
    let extents = (0..<count).map { places.contains($0) ? Extent(1, 1) : Extent.none }
    panel.line(extents, "b3", in: &drawing)
    #expect(drawing.buffer.string.filter { $0 == "M" }.count == pieces)
  }

  @Test func `heights over time, and how often each occurred`() throws {
    var histogram = Histogram(range: 2)
    for height in [-2.0, -1, 1, 1, 2.5, -3] { histogram.add(height) }
    let figure = try #require(
      Figure.heights(
        Self.scatter,
        Self.positions(
          heights: [Extent(-2, -1), Extent(1, 1), .none, Extent(2.5, 2.5)], histogram: histogram),
        Self.columns, Self.time))
    #expect(
      figure.sentence
        == "Half of the heights above mean sea level deviate by no more than 1.3 m.")
    // 37.5 units are a metre, and the scale of time ends at 300.
    #expect(
      figure.paths("b1") == ["M74.3 134.5L138.8 59.5 138.8 59.5 74.3 172ZM266.8 22V22h2"])
    #expect(
      figure.paths("bar") == [
        "M310 172h42v-3.8H310zM310 134.5h42v-3.8H310zM310 59.5h84v-3.8H310z"
      ])
    #expect(
      figure.paths("g") == [
        "M42 172H300M42 134.5H300M42 97H300M42 59.5H300M42 22H300M42 22V172"
      ])
    #expect(figure.paths("axis") == ["M310 22V172"])
    #expect(
      figure.table?.rows == [
        ["-2.00 to -1.50", "1"], ["-1.50 to -1.00", "0"], ["-1.00 to -0.50", "1"],
        ["-0.50 to 0.00", "0"], ["0.00 to 0.50", "0"], ["0.50 to 1.00", "0"],
        ["1.00 to 1.50", "2"], ["1.50 to 2.00", "0"], ["beyond", "2"],
      ])
  }

  private static func figures(
    _ columns: FigureColumns, timeline: StateTimeline = StateTimeline(),
    obstructions: ObstructionMap = ObstructionMap()
  ) -> ReceiverFigures {
    ReceiverFigures(
      timeline: timeline, columns: columns, traces: SkyTraces(), obstructions: obstructions)
  }

  @Test func `what hardly changes, on scales of 1 km/h and of 4 m`() throws {
    var columns = FigureColumns()
    for index in 0..<4 {
      let column = columns.column(at: Double(index) / 8)
      columns.addFix(in: column, afterOutage: false)
      columns.add(0.1, to: .speed, in: column)
      columns.add(500, to: .height, in: column)
    }
    let figure = try #require(Figure.times(Self.figures(columns), Self.time, .metric))
    #expect(figure.height == 256 && figure.sentence == "Without a fix there is neither.")
    // 80 units each are 1 km/h, and 4 m from 500 m on.
    #expect(
      figure.paths("g") == [
        "M42 102H394M42 62H394M42 22H394M42 22V102", "M42 212H394M42 172H394M42 132H394M42 132V212",
      ])
    #expect(
      figure.paths("b1") == [
        "M86 73.2L174 73.2 262 73.2 350 73.2 350 73.2 262 73.2 174 73.2 86 73.2Z",
        "M86 212L174 212 262 212 350 212 350 212 262 212 174 212 86 212Z",
      ])
    #expect(figure.table?.header == ["from", "speed, km/h", "height, m"])
    #expect(figure.table?.rows == Array(repeating: ["0 s", "0.4", "500.0"], count: 4))
  }

  @Test(arguments: [
    (503.9, "502", "M85 102V24h2"), (504, "502", "M85 102V22h2"), (510, "505", "M85 102V22h2"),
  ])
  func `heights on a scale up to the greatest, or to 4 m above the least`(
    height: Double, middle: String, bar: String
  ) throws {
    var columns = FigureColumns()
    let column = columns.column(at: 0)
    for value in [500, height] { columns.add(value, to: .height, in: column) }
    let figure = try #require(Figure.times(Self.figures(columns), Self.time, .metric))
    #expect(figure.height == 146 && figure.paths("b1") == [Substring(bar)])
    #expect(figure.drawing.buffer.string.contains(">\(middle)</text>"))
  }

  @Test func `satellites, dilution and strength, without gaps`() throws {
    let figure = try #require(Figure.signals(Self.columns, Self.time))
    #expect(figure.height == 330)
    #expect(
      figure.sentence
        == "Medians: 3 satellites used, HDOP 1.5. A DOP beyond its scale is drawn at the upper end."
    )
    // A scale ends at a DOP of 10, and at round numbers.
    #expect(
      figure.paths("b2") == [
        "M350.6 16h9v-8h-9z", "M86 49.2L174 42.4 350 35.6 350 35.6 174 49.2 86 56Z",
        "M350.6 114h9v-8h-9z", "M86 120L174 120 350 120 350 120 174 120 86 154Z",
        "M312.6 212h9v-8h-9z", "M86 238.4L174 237.3 350 236.1 350 236.1 174 238.4 86 239.5Z",
      ])
    #expect(
      figure.paths("b1") == [
        "M299.2 16h9v-8h-9z", "M86 76.4L174 69.6 350 62.8 350 62.8 174 76.4 86 83.2Z",
        "M299.2 114h9v-8h-9z", "M86 181.2L174 177.8 350 174.4 350 174.4 174 181.2 86 184.6Z",
      ])
    #expect(figure.table?.header == ["from", "used", "seen", "HDOP", "PDOP", "strongest"])
    #expect(Figure.signals(FigureColumns(), Self.time) == nil)
  }

  @Test(arguments: [
    (10, "Medians: HDOP 10.0."),
    (10.1, "Medians: HDOP 10.1. A DOP beyond its scale is drawn at the upper end."),
  ])
  func `dilution, with a sentence if it is beyond its scale`(dop: Double, sentence: String) throws {
    var columns = FigureColumns()
    columns.add(dop, to: .hdop, in: columns.column(at: 0))
    let figure = try #require(Figure.signals(columns, Self.time))
    #expect(figure.sentence == sentence)
  }

  @Test func `satellites without signals`() throws {
    var columns = FigureColumns()
    let column = columns.column(at: 0)
    columns.add(0, to: .strongestSignal, in: column)
    #expect(Figure.signals(columns, Self.time) == nil)
    columns.add(0, to: .used, in: column)
    let figure = try #require(Figure.signals(columns, Self.time))
    #expect(figure.height == 134 && figure.sentence == "No satellite had a signal.")
    #expect(figure.paths("g") == ["M42 90H394M42 56H394M42 22H394M42 22V90"])
    // Without a strength, the places of satellites are drawn, but not where all strengths are zero.
    var map = ObstructionMap()
    map.add([Satellite(prn: 1, elevation: 12, azimuth: 100, signalStrength: 0)])
    #expect(Figure.obstructions(Self.figures(columns, obstructions: map)) == nil)
    #expect(Figure.obstructions(Self.figures(FigureColumns(), obstructions: map)) != nil)
    columns.add(0.5, to: .strongestSignal, in: column)
    #expect(Figure.obstructions(Self.figures(columns, obstructions: map)) != nil)
  }

  @Test func `directions of 45 degrees, and three bands of elevation`() throws {
    var map = ObstructionMap()
    map.add([
      Satellite(prn: 1, elevation: 29, azimuth: 24, signalStrength: 10),
      Satellite(prn: 2, elevation: 29, azimuth: 20, signalStrength: 10),
      Satellite(prn: 3, elevation: 30, azimuth: 340, signalStrength: 30),
      Satellite(prn: 4, elevation: 59, azimuth: 25, signalStrength: 40),
      Satellite(prn: 5, elevation: 60, azimuth: 339, signalStrength: 20),
    ])
    let figure = try #require(
      Figure.obstructions(Self.figures(FigureColumns(), obstructions: map)))
    #expect(
      figure.sentence
        == "Signals were strongest in the north-east (40 dBHz) and weakest in the north (17 dBHz). "
        + "× marks a satellite without a signal.")
    let rows = try #require(figure.table?.rows)
    #expect(rows[0] == ["north", "10.0", "30.0", "–"])
    #expect(rows[1] == ["north-east", "–", "40.0", "–"])
    #expect(rows[7] == ["north-west", "–", "–", "20.0"])
    #expect(rows[2...6].allSatisfy { $0.dropFirst() == ["–", "–", "–"] })
  }

  @Test func `states that are short, and names of those that last a 200th of the time`() throws {
    var timeline = StateTimeline()
    timeline.begin(.searching, at: 0)
    timeline.begin(.fix3D, at: 1)
    timeline.begin(.lost, at: 150)
    timeline.begin(.fix3D, at: 150.02)
    timeline.begin(.connecting, at: 199.5)
    timeline.begin(.fix2D, at: 200)
    var receiver = ReceiverReport(states: [.fix3D: .seconds(199), .searching: .seconds(1)])
    let figures = Self.figures(FigureColumns(), timeline: timeline)
    let figure = try #require(Figure.timeline(of: receiver, figures))
    #expect(figure.height == 136)
    // 388 units are 200 s.
    #expect(figure.paths("search") == ["M6 64h1.9v-16h-1.9z", "M104 119h10v-9h-10z"])
    #expect(
      figure.paths("l3") == [
        "M7.9 64h289.1v-52h-289.1zM297 64h96v-52h-96z", "M6 119h10v-9h-10z",
      ])
    // An outage has a name however short it is.
    #expect(figure.paths("lost") == ["M297 64h0.3v-8h-0.3z", "M202 119h10v-9h-10z"])
    #expect(figure.paths("outage") == ["M297 67l4 7h-8z", "M305 111l4 7h-8z"])
    #expect(figure.paths("conn") == ["M393 64h1v-5h-1z"] && figure.paths("two") == [])
    #expect(
      figure.table?.rows == [["searching", "1 s", "0.5 %"], ["fix-3d", "3 min 19 s", "99.5 %"]])
    for (count, words) in [(0, "no outage"), (1, "1 outage"), (2, "2 outages")] {
      receiver.outageCount = count
      #expect(
        Figure.timeline(of: receiver, figures)?.sentence
          == "A fix for 99.5 % of the time, in 3D for 99.5 %; \(words). "
          + "The higher a bar, the better the state.")
    }
  }

  @Test func `a scatter about a reference, of too few positions for 95 %`() throws {
    let place = try #require(Coordinate(latitude: 48, longitude: 11.5))
    let ellipse = Scatter.Ellipse(major: 8, minor: 6, azimuth: 30)
    let few = Scatter(
      about: place, positionCount: 4, cep50: 5, ellipse: ellipse, isAboutReference: true)
    var positions = Self.positions()
    positions.range = 10
    positions.mean = PlanePoint(east: 1, north: 2)
    positions.points = [PlanePoint(east: 3, north: 4), PlanePoint(east: -3, north: -4)]
    positions.outside = 2
    let figure = try #require(Figure.scatter(few, positions, .metric))
    #expect(
      figure.sentence
        == "Half of the positions lie within 5.0 m of the reference. 2 are outside the figure.")
    // 162 units are 10 m.
    #expect(figure.paths("dot") == ["M248.6 115.2h0M151.4 244.8h0"])
    let drawing = figure.drawing.buffer.string
    #expect(
      drawing.contains(
        #"<circle class="c50" cx="200" cy="180" r="81"/><ellipse class="ell" rx="97.2" ry="129.6" "#
          + #"transform="translate(216.2 147.6) rotate(30)"/>"#))
    #expect(drawing.contains(">metres east and north of the reference</text>"))
    #expect(figure.paths("c50") == ["M32 392h24"] && figure.paths("ell") == ["M250 392h24"])
    #expect(figure.paths("c95") == [])
    let stops = Scatter(
      about: place, positionCount: 4, cep50: 5, r95: 9, ellipse: ellipse, isOfStops: true)
    positions.outside = 0
    let folded = try #require(Figure.scatter(stops, positions, .metric))
    #expect(
      folded.sentence
        == "Half of the 4 positions in stops lie within 5.0 m of the mean of their stop, "
        + "95 % within 9.0 m.")
    #expect(folded.paths("c95") == ["M150 392h24"])
    for (range, unit) in [(1500.0, "metres"), (2000, "kilometres")] {
      positions.range = range
      let wide = try #require(Figure.scatter(few, positions, .metric)).drawing.buffer.string
      #expect(wide.contains(">\(unit) east and north of the reference</text>"))
    }
  }

  @Test func `offsets of the serial line and of pulses, each about its own median`() throws {
    var columns = FigureColumns()
    let column = columns.column(at: 0)
    for offset in [0.1, 0.104] { columns.add(offset, to: .serialOffset, in: column) }
    columns.add(0.2, to: .pulseOffset, in: column)
    var figures = Self.figures(columns)
    let (first, second) = (
      ReceiverReport.ClockOffset(count: 2, median: .milliseconds(100)),
      ReceiverReport.ClockOffset(count: 1, median: .milliseconds(200))
    )
    var timing = ReceiverReport.Timing(serial: first, segment: nil)
    timing.pulses = ReceiverReport.Pulses(
      count: 1, expected: 1, offset: second, gaps: [], gapCount: 0)
    #expect(Figure.serialTime(figures, timing, Self.time) == nil)
    #expect(Figure.pulses(figures, timing, Self.time) == nil)
    var (late, even) = (Histogram(range: 0.01), Histogram(range: 0.001))
    for offset in [0, 0.004] { late.add(offset) }
    even.add(0)
    (figures.serial, figures.pulses) = (late, even)
    let serial = try #require(Figure.serialTime(figures, timing, Self.time))
    #expect(
      serial.sentence == "How late times arrive over the serial line. The median is +100 ms.")
    // 75 units are 10 ms, and the scale of time ends at 300.
    #expect(serial.paths("b1") == ["M73.3 97V67h2"])
    #expect(serial.paths("bar") == ["M310 97h84v-3.8H310zM310 67h84v-3.8H310z"])
    #expect(serial.table?.header == ["from", "offset, ms"])
    #expect(serial.table?.rows == [["0 s", "100 to 104"]])
    let pulses = try #require(Figure.pulses(figures, timing, Self.time))
    #expect(
      pulses.sentence
        == "How far the clock is ahead of the receiver's at its pulses. The median is +200 ms.")
    #expect(pulses.paths("b1") == ["M73.3 97V97h2"])
    #expect(pulses.paths("bar") == ["M310 97h84v-3.8H310z"])
    #expect(pulses.table?.rows == [["0 s", "200.0"]])
    #expect((serial.name, pulses.name) == ("serial-time", "pulses"))
  }

  @Test func `errors, speeds and heights in the requested units`() throws {
    let claims = Self.claimed([.accuracy: (3.048, 3.048)])
    let errors = try #require(
      Figure.accuracy(nil, nil, claims, Self.time, ReportUnits(.imperial)))
    #expect(errors.drawing.buffer.string.contains(">horizontal error, ft</text>"))
    #expect(errors.sentence.hasPrefix("Median claimed error 10.0 ft. The claimed error"))
    #expect(errors.table?.header == ["from", "claimed, ft"])
    #expect(errors.table?.rows == Array(repeating: ["0 s", "10.0"], count: 4))
    var columns = FigureColumns()
    let column = columns.column(at: 0)
    columns.add(4.4704, to: .speed, in: column)
    columns.add(304.8, to: .height, in: column)
    let times = try #require(
      Figure.times(Self.figures(columns), Self.time, ReportUnits(.imperial)))
    #expect(times.table?.header == ["from", "speed, mph", "height, ft"])
    #expect(times.table?.rows == [["0 s", "10.0", "1000.0"]])
    for name in ["speed, mph", "height above mean sea level, ft"] {
      #expect(times.drawing.buffer.string.contains(">\(name)</text>"))
    }
  }
}
