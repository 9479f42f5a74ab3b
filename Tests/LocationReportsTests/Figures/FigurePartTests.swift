import LocationCore
import LocationText
import Testing

@testable import LocationReports

@Suite struct `The parts of figures` {
  private static func second(_ second: Int) -> Moment { Moment(uptime: .seconds(second)) }

  @Test func `an extent has the lowest and the highest value, and ignores absurd values`() {
    var extent = Extent.none
    #expect(extent.isEmpty && extent == Extent(.nan, .nan) && extent != Extent(0, 0))
    extent.add(3 as Double?)
    #expect(extent == Extent(3, 3) && !extent.isEmpty)
    extent.add(-1 as Double?)
    extent.add(2 as Double?)
    #expect(extent == Extent(-1, 3) && extent != Extent(-1, 2) && extent != Extent(0, 3))
    for absurd in [nil, .nan, 1e9, -1e9, .infinity] as [Double?] { extent.add(absurd) }
    extent.add(Extent.none)
    #expect(extent == Extent(-1, 3))
    extent.add(Extent(-2, 1))
    #expect(extent == Extent(-2, 3) && extent.hashValue == Extent(-2, 3).hashValue)
    extent.add(999_999_999 as Double?)
    #expect(extent.high == 1e9)
  }

  @Test(arguments: [
    (1.0, 1.0, 1.0), (1.01, 2, 1), (2, 2, 2), (4.9, 5, 2), (5, 5, 5), (5.01, 10, 5), (9.99, 10, 5),
    (0.02, 0.02, 0.02), (0.03, 0.05, 0.02), (730, 1000, 500), (0, 1, 1), (.infinity, 1, 5),
  ])
  func `a round number is next above or below the value`(
    value: Double, above: Double, below: Double
  ) {
    let found = (
      roundNumber(notBelow: value, steps: [1, 2, 5]),
      roundNumber(notAbove: value, steps: [1, 2, 5])
    )
    guard value > 0, value.isFinite else {
      #expect(found.1 == below)
      return
    }
    #expect(abs(found.0 / above - 1) < 1e-9 && abs(found.1 / below - 1) < 1e-9)
  }

  @Test(arguments: [(nil, false), (0, false), (0.5, true), (40, true)] as [(Double?, Bool)])
  func `columns have a signal if a strength is more than zero`(strength: Double?, hasSignal: Bool) {
    var columns = FigureColumns()
    let column = columns.column(at: 0)
    columns.add(strength, to: .strongestSignal, in: column)
    #expect(columns.hasSignal == hasSignal)
  }

  @Test(arguments: [FixMode.fix2D, .fix3D])
  func `the height of a fix in 2D is not drawn, over time or over the way`(mode: FixMode) {
    var fix = LocationFix(coordinate: .nullIsland, mode: mode)
    fix.altitude = 500
    var counter = FigureCounter()
    counter.add(fix, afterOutage: false, at: 3)
    counter.path.add(
      PathTrace.Sample(fix, at: Self.second(0), (east: 1, north: 2), silence: nil),
      of: TripProgress(way: 3))
    let height = mode == .fix3D ? [Extent(500, 500)] : nil
    #expect(counter.columns.extents(of: .height)?.suffix(1) == height?.suffix(1))
    #expect(counter.path.profile.extents(of: .height)?.suffix(1) == height?.suffix(1))
    #expect(counter.columns.count == 25 && counter.path.profile.count == 25)
    #expect(!counter.columns.has(.speed) && !counter.path.profile.has(.speed))
    #expect(
      counter.path.track.points == [
        TrackTrace.Point(east: 1, north: 2, speed: -1, isStart: true, silence: 0)
      ])
  }

  @Test func `a track begins again after a silence, and its profile too`() {
    var fix = LocationFix(coordinate: .nullIsland, mode: .fix2D)
    var path = PathTrace()
    fix.speed = 5
    path.add(PathTrace.Sample(fix, at: Self.second(0), (0, 0), silence: nil), of: TripProgress())
    fix.speed = 6
    path.add(
      PathTrace.Sample(fix, at: Self.second(1), (9, 0), silence: 40), of: TripProgress(way: 0.5))
    #expect(
      path.track.points == [
        TrackTrace.Point(east: 0, north: 0, speed: 5, isStart: true, silence: 0),
        TrackTrace.Point(east: 9, north: 0, speed: 6, isStart: true, silence: 40),
      ])
    #expect((0..<5).filter(path.profile.isInterrupted) == [4])
    #expect(path.profile[.speed, 4] == Extent(6, 6))
  }

  @Test func `samples of a stop wait, at most 1,024 of them`() {
    let fix = LocationFix(coordinate: .nullIsland, mode: .fix2D)
    var path = PathTrace()
    for second in 0..<3000 {
      let stop = TripProgress(way: 10, ifLeft: (Self.second(-1), 10 + Double(second)), pace: 0)
      path.add(PathTrace.Sample(fix, at: Self.second(second), (9, 0), silence: nil), of: stop)
    }
    #expect(path.profile.count == 0)
    let end = TripProgress(way: 2000, ifLeft: (Self.second(1499), 2000), pace: 0)
    path.add(PathTrace.Sample(fix, at: Self.second(3000), (9, 0), silence: nil), of: end)
    #expect(path.track.points.map(\.speed) == [0, 0])
    path.settle(TripProgress(way: 2000, pace: 2))
    #expect(path.track.points.map(\.speed) == [0, 2])
    let fixes = (0..<path.profile.count).map { path.profile.fixes(in: $0).count }
    // Every other one of the first samples was dropped; the last ones lie at the distance that was covered.
    #expect(fixes.reduce(0, +) < 1024 && fixes.prefix(4) == [0, 0, 0, 0] && fixes.last ?? 0 > 200)
  }

  @Test func `pulses and the serial line have a series each`() {
    var counter = FigureCounter()
    counter.add(ServiceReport(.pps, clockOffset: .seconds(2), text: ""), at: 0)
    let toff = ServiceReport.Kind(rawValue: "TOFF")
    counter.add(ServiceReport(toff, clockOffset: .seconds(3), text: ""), at: 0)
    counter.add(ServiceReport(.pps, text: ""), at: 9)
    #expect(counter.columns.count == 1)
    #expect(counter.columns.extents(of: .pulseOffset) == [Extent(2, 2)])
    #expect(counter.columns.extents(of: .serialOffset) == [Extent(3, 3)])
  }

  @Test func `what the sky is drawn of, with the mean of the signals that are used`() {
    var counter = FigureCounter()
    counter.add(
      SkyView(
        satellites: [
          Satellite(prn: 1, signalStrength: 30, isUsed: true),
          Satellite(prn: 2, signalStrength: 41, isUsed: true),
          Satellite(prn: 3, signalStrength: 50), Satellite(prn: 4, isUsed: true),
          Satellite(prn: 5, signalStrength: 0, isUsed: true),
        ], hdop: 1, vdop: 2, pdop: 3), at: 0)
    let all: [(FigureColumns.Series, Float)] = [
      (.used, 4), (.seen, 5), (.hdop, 1), (.vdop, 2), (.pdop, 3), (.strongestSignal, 50),
      (.usedSignal, 35.5),
    ]
    for (series, value) in all {
      #expect(counter.columns.extents(of: series) == [Extent(value, value)], "\(series)")
    }
    // Without a list, and of satellites that are not used, there is no mean.
    var bare = FigureCounter()
    bare.add(SkyView(seen: 7), at: 0)
    bare.add(SkyView(satellites: [Satellite(prn: 1, signalStrength: 30)]), at: 0)
    #expect(!bare.columns.has(.usedSignal) && bare.columns.has(.seen))
  }

  @Test(arguments: [
    (0, "0"), (-0.04, "0"), (-0.06, "-0.1"), (-0.94, "-0.9"), (-0.96, "-1"), (-12.34, "-12.3"),
    (7.04, "7"), (7.06, "7.1"), (1234.96, "1235"),
  ])
  func `a coordinate is written to a tenth`(coordinate: Double, text: String) {
    var markup = Markup()
    markup.add(coordinate)
    #expect(markup.buffer.string == text)
  }

  @Test func `a path is written unless it is empty, and a received text up to 128 characters`() {
    var markup = Markup()
    markup.add(path: "a") { $0.add("M", 1, 2) }
    markup.add(path: "b") { _ in }
    markup.add(path: "c") { $0.add("h3") }
    #expect(markup.buffer.string == #"<path class="a" d="M1 2"/><path class="c" d="h3"/>"#)
    for (count, text) in [(128, ""), (129, "...")] {
      var received = Markup()
      received.add(received: String(repeating: "x", count: count))
      #expect(received.buffer.string == String(repeating: "x", count: 128) + text)
    }
  }

  @Test func `a satellite has the letter of its system and two digits`() {
    #expect(Satellite(prn: 9, gnssID: 0, svID: 9).label == "G09")
    #expect(Satellite(prn: 10, gnssID: 0, svID: 10).label == "G10")
    #expect(Satellite(prn: 301, gnssID: 2, svID: 1).label == "E01")
    #expect(Satellite(prn: 133, gnssID: 1, svID: 133).label == "S33")
    #expect(Satellite(prn: 46).label == "S33" && Satellite(prn: 65).label == "R01")
    #expect(Satellite(prn: 500).label == "500" && Satellite(prn: -5).label == "-5")
  }

  @Test func `a histogram has 40 bins, and the last one includes the upper end`() {
    var histogram = Histogram(range: 2)
    for value in [-2.0, -1.9, -1.91, 0, -0.001, 1.89, 2, 2.001, -2.001, .nan, .infinity] {
      histogram.add(value)
    }
    var expected = Array(repeating: 0, count: 40)
    (expected[0], expected[1], expected[19], expected[20]) = (2, 1, 1, 1)
    (expected[38], expected[39]) = (1, 1)
    #expect(histogram.counts == expected && histogram.outside == 4)
  }

  @Test func `a density has 80 by 80 cells, from the north-west`() {
    var density = DensityGrid()
    let places: [(east: Float, north: Float, column: Int, row: Int)] = [
      (-10, 10, 0, 0), (9.99, -9.99, 79, 79), (0, 0, 40, 40), (-0.01, 0.01, 39, 39),
      (-10, -9.99, 0, 79), (9.99, 10, 79, 0),
    ]
    for place in places {
      let isInside = density.add(PlanePoint(east: place.east, north: place.north), range: 10)
      #expect(isInside)
      #expect(density[column: place.column, row: place.row] == 1)
    }
    for (east, north) in [(10, 0), (-10.01, 0), (0, 10.01), (0, -10), (.nan, 0), (.infinity, 0)]
      as [(Float, Float)]
    {
      let isInside = density.add(PlanePoint(east: east, north: north), range: 10)
      #expect(!isInside)
    }
  }

  @Test func `the spans of a timeline do not overlap`() {
    var timeline = StateTimeline()
    timeline.extend(to: 5)
    #expect(timeline.spans.isEmpty)
    timeline.begin(.connecting, at: 0)
    timeline.begin(.searching, at: 2)
    timeline.extend(to: 6)
    timeline.begin(.fix3D, .dgps, at: 4)
    timeline.record(.dgps, at: 7)
    timeline.record(.rtkFixed, at: 8)
    timeline.begin(.lost, at: 9)
    timeline.record(.gps, at: 10)
    timeline.begin(.fix2D, at: 11)
    timeline.begin(.lost, at: 11)
    timeline.extend(to: 12)
    timeline.extend(to: 3)
    #expect(
      timeline.spans == [
        .init(.connecting, from: 0, to: 2), .init(.searching, from: 2, to: 6),
        .init(.fix3D, .dgps, from: 6, to: 8), .init(.fix3D, .rtkFixed, from: 8, to: 9),
        .init(.lost, from: 9, to: 12),
      ])
  }

  @Test func `a timeline keeps 2,048 spans, and drops short ones first`() {
    var timeline = StateTimeline()
    for round in 0..<1024 {
      timeline.begin(.fix3D, at: Double(10 * round))
      timeline.begin(.lost, at: Double(10 * round + 9))
    }
    #expect(timeline.spans.count == 2048)
    timeline.begin(.searching, at: 10_240)
    // All of a second became part of the spans before, which are then one.
    #expect(
      timeline.spans == [
        .init(.fix3D, from: 0, to: 10_240), .init(.searching, from: 10_240, to: 10_240),
      ])
  }

  @Test func `a place in the sky is kept if it is three degrees from the last one`() {
    func places(_ path: [(elevation: Double?, azimuth: Double?)]) -> [String] {
      var traces = SkyTraces()
      for place in path {
        traces.add([Satellite(prn: 5, elevation: place.elevation, azimuth: place.azimuth)])
      }
      return (traces.traces.first?.places ?? []).map {
        "\($0.elevation) \($0.azimuth)\($0.isRise ? " rise" : "")"
      }
    }
    #expect(places([(10, 20), (12, 20), (13, 20)]) == ["10 20 rise", "13 20"])
    #expect(places([(10, 20), (8, 20), (7, 20)]) == ["10 20 rise", "7 20"])
    #expect(places([(0, 359), (0, 1), (0, 2)]) == ["0 359 rise", "0 2"])
    // At 60 degrees, a degree of azimuth is half as long.
    #expect(places([(60, 0), (60, 5), (60, 7)]) == ["60 0 rise", "60 7"])
    // Fifteen degrees away it has risen again.
    #expect(places([(10, 20), (24, 20), (39, 20)]) == ["10 20 rise", "24 20", "39 20 rise"])
    #expect(places([(0, 20), (0, 34), (0, 49)]) == ["0 20 rise", "0 34", "0 49 rise"])
    #expect(places([(90, 360), (89.6, 0)]) == ["90 0 rise"])
    for none in [nil, -0.1, 90.1, .nan, 1e300, -.infinity] as [Double?] {
      #expect(places([(none, 20)]) == [] && (none == 90.1 || places([(20, none)]) == []))
    }
    #expect(places([(20, 360.1)]) == [] && places([(0, 0)]) == ["0 0 rise"])
  }

  @Test func `the way of a satellite is thinned beyond 256 places, and begins again`() throws {
    var traces = SkyTraces()
    func add(_ numbers: Range<Int>) {
      for number in numbers {
        traces.add([Satellite(prn: 5, elevation: 0, azimuth: Double(3 * number % 360))])
      }
    }
    add(0..<256)
    #expect(traces.traces.first?.places.count == 256)
    add(256..<257)
    // Those that are six degrees apart, without the earliest.
    var places = try #require(traces.traces.first).places
    #expect(places.map { Int($0.azimuth) } == (1...128).map { 6 * $0 % 360 })
    #expect(places.map(\.isRise) == [true] + Array(repeating: false, count: 127))
    add(257..<259)
    places = try #require(traces.traces.first).places
    #expect(places.count == 129 && places.last?.azimuth == 54 && places.last?.isRise == false)
  }

  @Test func `the stronger signal of a satellite counts, and it is used if any signal is`() throws {
    var traces = SkyTraces()
    func signal(_ strength: Double?, _ isUsed: Bool) -> Satellite {
      Satellite(
        prn: 5, elevation: 45, azimuth: 90, signalStrength: strength, isUsed: isUsed)
    }
    traces.add([signal(30, false), signal(40, true), signal(35, false)])
    var satellite = try #require(traces.traces.first).satellite
    #expect(satellite.signalStrength == 40 && satellite.isUsed)
    traces.add([signal(nil, false), signal(0, false)])
    satellite = try #require(traces.traces.first).satellite
    #expect(satellite.signalStrength == nil && !satellite.isUsed)
    #expect(traces.isInView(traces.traces[0]) && traces.traces.count == 1)
    traces.add([])
    #expect(!traces.isInView(traces.traces[0]))
  }

  @Test func `192 satellites are followed, in whatever order they are listed`() {
    var traces = SkyTraces()
    for view in 0..<2 {
      traces.add(
        (0..<200).map { Satellite(prn: ($0 * 7 + view * 3) % 200, elevation: 1, azimuth: 1) })
    }
    #expect(traces.traces.count == 192)
    #expect(Set(traces.traces.map(\.satellite.prn)).count == 192)
    #expect(traces.traces.allSatisfy { $0.places.count == 1 && traces.isInView($0) })
  }
}
