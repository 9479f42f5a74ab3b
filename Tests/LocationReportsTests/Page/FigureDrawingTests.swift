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
    track: [PlanePoint] = [], trackMean: Double? = nil, heights: [Extent]? = nil,
    histogram: Histogram? = nil
  ) -> PositionFigures {
    PositionFigures(
      mean: PlanePoint(east: 0, north: 0), errors: [], heights: heights, level: 99.75, range: 1,
      points: [],
      density: DensityGrid(), outside: 0, heightHistogram: histogram, track: track,
      trackMean: trackMean)
  }

  private func path(_ kind: String, in figure: Figure?) -> [String] {
    let drawing = figure?.drawing.buffer.string ?? ""
    return drawing.components(of: "<path class=\"\(kind)\" d=\"").dropFirst().map { part in
      String(part.prefix { $0 != "\"" })
    }
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

  @Test func `a track with north up and east on the right`() throws {
    let figure = try #require(
      Figure.track(
        Self.positions(track: [
          PlanePoint(east: 0, north: 0, isStart: true), PlanePoint(east: 0, north: 30),
          PlanePoint(east: 40, north: 30),
        ])))
    #expect(figure.height == 327)
    #expect(
      figure.sentence
        == "The track spans 40 m east–west and 30 m north–south.")
    // 40 m are 340 units.
    #expect(
      figure.drawing.buffer.string
        == #"<path class="way" d="M30 279h0L30 24L370 24"/>"#
        + #"<path class="start" d="M25 279a5 5 0 1 0 10 0a5 5 0 1 0-10 0z"/>"#
        + #"<path class="end" d="M365.5 19.5h9v9h-9z"/>"#
        + #"<path class="axis" d="M30 306v5h85v-5"/><text x="72.5" y="305" class="m">10 m</text>"#
        + #"<text x="362" y="311" class="e">circle: start, square: end</text>"#
        + #"<path class="north" d="M384 283l6 16l-6-4l-6 4z"/><text x="384" y="311" class="m">N</text>"#
    )
  }

  @Test func `a track of pieces, in the middle of the smallest drawing`() throws {
    let figure = try #require(
      Figure.track(
        Self.positions(
          track: [
            PlanePoint(east: -4000, north: 1, isStart: true), PlanePoint(east: -2000, north: 1),
            PlanePoint(east: 4000, north: 1, isStart: true),
          ], trackMean: 2.5)))
    #expect(figure.height == 152)
    #expect(
      figure.sentence
        == "The track spans 8.0 km east–west and 0.0 mm north–south. "
        + "It hardly moved: each point is the mean of 2.5 s.")
    #expect(path("way", in: figure) == ["M30 64h0L115 64M370 64h0"])
    #expect(path("axis", in: figure) == ["M30 131v5h85v-5"])
    #expect(figure.drawing.buffer.string.contains(">2 km</text>"))
    #expect(Figure.track(Self.positions(track: [PlanePoint(east: 0, north: 0)])) == nil)
  }

  @Test(
    arguments: [
      (0.5, "50.0 cm"), (1.0, "1.0 m"), (9.99, "10.0 m"), (10, "10 m"), (999, "999 m"),
      (4999, "5.0 km"), (99_000, "99.0 km"), (250_000, "250.0 km"), (2_000_000, "2000 km"),
    ] as [(Float, String)])
  func `a track says how wide it is`(width: Float, words: String) throws {
    let figure = try #require(
      Figure.track(
        Self.positions(track: [
          PlanePoint(east: 0, north: 0, isStart: true), PlanePoint(east: width, north: 0),
        ])))
    #expect(figure.sentence.hasPrefix("The track spans \(words) east–west"))
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
      path("b1", in: figure) == ["M74.3 134.5L138.8 59.5 138.8 59.5 74.3 172ZM266.8 22V22h2"])
    #expect(
      path("bar", in: figure) == [
        "M310 172h42v-3.8H310zM310 134.5h42v-3.8H310zM310 59.5h84v-3.8H310z"
      ])
    #expect(
      path("g", in: figure) == [
        "M42 172H300M42 134.5H300M42 97H300M42 59.5H300M42 22H300M42 22V172"
      ])
    #expect(path("axis", in: figure) == ["M310 22V172"])
    #expect(
      figure.table?.rows == [
        ["-2.00 to -1.50", "1"], ["-1.50 to -1.00", "0"], ["-1.00 to -0.50", "1"],
        ["-0.50 to 0.00", "0"], ["0.00 to 0.50", "0"], ["0.50 to 1.00", "0"],
        ["1.00 to 1.50", "2"], ["1.50 to 2.00", "0"], ["beyond", "2"],
      ])
  }

  @Test func `speed and height, with a gap after an outage`() throws {
    let figure = try #require(
      Figure.profile(
        Self.scatter, Self.positions(heights: [Extent(-2, -1), Extent(1, 1), .none, .none]),
        Self.columns, Self.time))
    #expect(figure.height == 256)
    #expect(
      figure.sentence
        == "The highest speed was 4.0 m/s; heights were between 97.8 m and 100.8 m.")
    #expect(
      path("b1", in: figure) == [
        "M86 62L174 42 174 62 86 82ZM349 22V22h2", "M86 175.3L174 148.7 174 148.7 86 188.7Z",
      ])
    #expect(path("g", in: figure).first == "M42 102H394M42 62H394M42 22H394M42 22V102")
    #expect(
      figure.table?.rows == [
        ["0 s", "1.0 to 2.0", "97.8 to 98.8"], ["0 s", "2.0 to 3.0", "100.8"], ["0 s", "–", "–"],
        ["0 s", "4.0", "–"],
      ])
    #expect(Figure.profile(nil, nil, FigureColumns(), Self.time) == nil)
  }

  @Test func `satellites, dilution and strength, without gaps`() throws {
    let figure = try #require(Figure.signals(Self.columns, Self.time))
    #expect(figure.height == 330)
    #expect(figure.sentence == "Medians: 3 satellites used, HDOP 1.5.")
    // A scale ends at a DOP of 10, and at round numbers.
    #expect(
      path("b2", in: figure) == [
        "M350.6 16h9v-8h-9z", "M86 49.2L174 42.4 350 35.6 350 35.6 174 49.2 86 56Z",
        "M350.6 114h9v-8h-9z", "M86 120L174 120 350 120 350 120 174 120 86 154Z",
        "M312.6 212h9v-8h-9z", "M86 238.4L174 237.3 350 236.1 350 236.1 174 238.4 86 239.5Z",
      ])
    #expect(
      path("b1", in: figure) == [
        "M299.2 16h9v-8h-9z", "M86 76.4L174 69.6 350 62.8 350 62.8 174 76.4 86 83.2Z",
        "M299.2 114h9v-8h-9z", "M86 181.2L174 177.8 350 174.4 350 174.4 174 181.2 86 184.6Z",
      ])
    #expect(figure.table?.header == ["from", "used", "seen", "HDOP", "PDOP", "strongest"])
    #expect(Figure.signals(FigureColumns(), Self.time) == nil)
  }
}

extension String {
  /// The parts between the places of a text.
  fileprivate func components(of separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
