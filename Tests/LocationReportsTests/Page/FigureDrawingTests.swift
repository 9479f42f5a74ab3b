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
        == "Median claimed error 1.0 m. The receiver's own estimate has no stated confidence level. "
        + "A claim beyond its scale is drawn at the upper end.")
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
    #expect(figure.sentence.hasPrefix("Heights: 2.0 m. The receiver's own estimate"))
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

  /// An eighth of a second is a column.
  @Test(arguments: [(1, 40, 1), (1, 41, 2), (20, 60, 1), (20, 61, 2)])
  func `a line over a silence of 5 s or of three intervals, and none over a longer one`(
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

  @Test func `satellites, dilution and strength, without gaps`() throws {
    let figure = try #require(Figure.signals(Self.columns, Self.time))
    #expect(figure.height == 330)
    #expect(
      figure.sentence
        == "Medians: 3 satellites used, HDOP 1.5. A DOP beyond its scale is drawn at the upper end.")
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
}
