import LocationCore
import Testing

@testable import LocationReports

/// Fault 75.
@Suite struct `The figures of a receiver` {
  private let boat = "/dev/ttyACM0"

  private func at(_ second: Double) -> Moment { .start.advanced(by: .seconds(second)) }

  private func fix(_ second: Double, north: Double = 0, height: Double? = nil) -> LocationUpdate {
    var fix = LocationFix(
      coordinate: Coordinate(latitude: north / 111_132.954, longitude: 11.5)!,
      mode: height == nil ? .fix2D : .fix3D, device: boat)
    fix.ellipsoidalAltitude = height
    fix.speed = second
    return .fix(fix)
  }

  private func state(_ state: LocationState, at second: Double) -> LocationUpdate {
    .state(StateChange(state, of: .receiver(boat), at: at(second)))
  }

  @Test func `are not collected unless they are requested`() throws {
    var report = LocationReport()
    report.add(fix(0), at: at(0))
    #expect(try #require(report.receivers.first).figures == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func `leave out impossible values`() throws {
    var report = LocationReport(countsFigures: true)
    let heights = [1e308, 500, -1e308, 502, 1e9]
    for (second, height) in heights.enumerated() {
      report.add(fix(Double(second), height: height), at: at(Double(second)))
    }
    report.add(fix(1e300), at: at(5))
    let receiver = try #require(report.receivers.first)
    #expect(receiver.fixCount == 6 && receiver.scatter?.heightCount == 2)
    #expect(receiver.scatter?.centerHeight == 501)
    let figures = try #require(receiver.figures)
    #expect(figures.positions?.heightHistogram?.counts.reduce(0, +) == 2)
    #expect(figures.columns.extents(of: .speed)?.last?.isEmpty == true)
  }

  @Test func `have the lowest and the highest value of each column`() throws {
    var report = LocationReport(countsFigures: true)
    for quarter in 0..<8 {
      let second = Double(quarter) / 16
      report.add(fix(second), at: at(second))
    }
    let columns = try #require(report.receivers.first?.figures).columns
    #expect(columns.width == 0.125)
    #expect(
      columns.extents(of: .speed)
        == [Extent(0, 0.0625), Extent(0.125, 0.1875), Extent(0.25, 0.3125), Extent(0.375, 0.4375)])
    #expect(columns.extents(of: .accuracy) == nil)
    #expect((0..<4).map { columns.fixes(in: $0) } == [0..<2, 2..<4, 4..<6, 6..<8])
  }

  @Test func `halve their columns when they are full`() throws {
    var columns = FigureColumns()
    for second in 0..<1000 {
      let column = columns.column(at: Double(second))
      columns.add(Double(second), to: .speed, in: column)
      columns.addFix(in: column, afterOutage: [500, 601].contains(second))
    }
    #expect(columns.width == 1 && columns.count == 1000)
    #expect(columns[.speed, 999] == Extent(999, 999) && columns.fixes(in: 999) == 999..<1000)
    #expect((0..<1000).filter(columns.isInterrupted) == [500, 601])
    #expect(columns.column(at: 1024) == 512)
    #expect(columns.width == 2 && columns.count == 513)
    #expect(columns[.speed, 499] == Extent(998, 999) && columns[.speed, 512].isEmpty)
    #expect(columns.fixes(in: 1) == 2..<4)
    #expect((0..<513).filter(columns.isInterrupted) == [250, 300])
    // After a year without a fix, all of them are in the first columns.
    #expect(columns.column(at: 31_536_000) == 962 && columns.width == 32_768)
    #expect(columns.fixes(in: 0) == 0..<1000)
  }

  /// 350 m/s, for a second at least, and 65 s while the interval is unknown.
  @Test(arguments: [
    (349.0, 0.5, false), (351, 0.5, true), (699, 2, false), (701, 2, true), (5, 65, false),
    (5, 65.1, true),
  ])
  func `have no line to a place that is too far away, or across a silence`(
    metres: Double, seconds: Double, isStart: Bool
  ) throws {
    let origin = try #require(Coordinate(latitude: 48, longitude: 11.5))
    for bearing in [0.0, 90, 225] {
      var report = LocationReport(countsFigures: true)
      report.add(.fix(LocationFix(coordinate: origin, mode: .fix2D)), at: at(0))
      let place = origin.moved(by: metres, bearing: bearing)
      report.add(.fix(LocationFix(coordinate: place, mode: .fix2D)), at: at(seconds))
      let points = try #require(report.receivers.first?.figures).track.points
      #expect(points.map(\.isStart) == [true, isStart], "\(bearing)")
      let silence = try #require(points.last).silence
      #expect(abs(silence - (isStart ? Float(seconds) : 0)) < 0.001)
    }
  }

  @Test(arguments: [(1.0, 10.0, 10.1), (20, 60, 60.1)])
  func `have a line across a short silence, whether or not the fix was lost`(
    interval: Double, joined: Double, apart: Double
  ) throws {
    var report = LocationReport(countsFigures: true)
    var second = 0.0
    for step in [interval, interval, joined, 2 * interval, apart] {
      let fix = LocationFix(coordinate: .nullIsland, mode: .fix3D)
      report.add(.state(StateChange(.fix3D, of: .receiver(nil), at: at(second))), at: at(second))
      report.add(.fix(fix), at: at(second))
      let lost = StateChange(.lost, of: .receiver(nil), at: at(second + interval / 2))
      report.add(.state(lost), at: lost.moment)
      second += step
    }
    var end = LocationFix(coordinate: .nullIsland, mode: .fix3D)
    end.coordinate = end.coordinate.moved(by: 5, bearing: 90)
    report.add(.fix(end), at: at(second))
    let points = try #require(report.receivers.first?.figures).track.points
    // Points of one place are one.
    #expect(points.map(\.isStart) == [true, true])
  }

  @Test func `show the states and the quality of the fixes`() throws {
    var report = LocationReport(countsFigures: true)
    report.add(.state(StateChange(.connecting, at: at(0))), at: at(0))
    report.add(state(.fix3D, at: 2), at: at(2))
    for (second, quality) in [(2.0, nil), (3, FixQuality.dgps), (4, .dgps), (5, nil)] {
      guard case .fix(var fix) = fix(second, height: 1) else { continue }
      fix.quality = quality
      report.add(.fix(fix), at: at(second))
    }
    report.add(state(.lost, at: 6), at: at(6))
    report.end(at: at(9))
    #expect(
      try #require(report.receivers.first?.figures).timeline.spans == [
        .init(.connecting, from: 0, to: 2), .init(.fix3D, from: 2, to: 3),
        .init(.fix3D, .dgps, from: 3, to: 5), .init(.fix3D, from: 5, to: 6),
        .init(.lost, from: 6, to: 9),
      ])
  }

  @Test func `merge the shortest spans of a timeline that is full`() {
    var timeline = StateTimeline()
    // A minute with a fix, and a second without one.
    for round in 0..<2000 {
      timeline.begin(.fix3D, at: Double(61 * round))
      timeline.begin(.lost, at: Double(61 * round + 60))
    }
    timeline.extend(to: 61 * 2000)
    #expect(timeline.spans.count <= StateTimeline.maximumCount)
    #expect(timeline.spans.first?.start == 0 && timeline.spans.last?.end == 122_000)
    #expect(zip(timeline.spans, timeline.spans.dropFirst()).allSatisfy { $0.end == $1.start })
  }

  @Test func `follow satellites across the sky`() throws {
    var traces = SkyTraces()
    func satellite(_ azimuth: Double, used: Bool = true) -> Satellite {
      Satellite(
        prn: 5, gnssID: 0, svID: 5, elevation: 45, azimuth: azimuth, signalStrength: 40,
        isUsed: used)
    }
    for azimuth in stride(from: 350.0, to: 370, by: 1) {
      traces.add([satellite(azimuth.truncatingRemainder(dividingBy: 360))])
    }
    // Another signal of the same satellite, which is weaker and not used.
    traces.add([satellite(10), satellite(10, used: false)])
    traces.add([satellite(120)])
    traces.add([Satellite(prn: 6), Satellite(prn: 7, elevation: -1, azimuth: 0)])
    let trace = try #require(traces.traces.first)
    // Three degrees apart are 4.2 degrees of azimuth at 45 degrees of elevation.
    #expect(trace.places.map(\.azimuth) == [350, 355, 0, 5, 10, 120])
    #expect(trace.places.map(\.isRise) == [true, false, false, false, false, true])
    #expect(traces.traces.count == 1 && !traces.isInView(trace) && trace.satellite.isUsed)
  }

  @Test func `keep traces small, however often satellites rise`() {
    var traces = SkyTraces()
    for turn in 0..<20_000 {
      let angle = Double(turn * 7 % 360)
      traces.add([Satellite(prn: 5, elevation: Double(turn % 90), azimuth: angle)])
    }
    #expect(traces.traces.map(\.places.count).max() ?? 0 <= 256)
  }

  @Test func `have the mean signal strength of each part of the sky`() {
    var map = ObstructionMap()
    #expect(map.isEmpty)
    map.add([
      Satellite(prn: 1, elevation: 12, azimuth: 359.9, signalStrength: 30),
      Satellite(prn: 2, elevation: 90, azimuth: 360, signalStrength: 44),
    ])
    map.add([
      Satellite(prn: 1, elevation: 13, azimuth: 356, signalStrength: 40),
      Satellite(prn: 3, elevation: 0, azimuth: 90), Satellite(prn: 4, elevation: -5, azimuth: 90),
    ])
    #expect(map[azimuth: 71, elevation: 2].mean == 35)
    #expect(map[azimuth: 0, elevation: 17].mean == 44)
    let empty = map[azimuth: 18, elevation: 0]
    #expect(empty.mean == nil && empty.seen == 1 && map[azimuth: 1, elevation: 0].seen == 0)
  }

  @Test func `have errors and a histogram`() throws {
    var report = LocationReport(countsFigures: true)
    report.add(state(.fix3D, at: 0), at: at(0))
    for second in 0..<4 {
      report.add(fix(Double(second), north: 24, height: 98), at: at(Double(second)))
    }
    report.add(state(.lost, at: 10), at: at(10))
    report.add(state(.fix3D, at: 20), at: at(20))
    for second in 20..<24 {
      report.add(fix(Double(second), north: -24, height: 102), at: at(Double(second)))
    }
    let figures = try #require(report.receivers.first?.figures?.positions)
    #expect(
      figures.errors.compactMap { $0.isEmpty ? nil : Int($0.high.rounded()) }
        == Array(repeating: 24, count: 8))
    let heights = try #require(figures.heights).filter { !$0.isEmpty }.map(\.low)
    #expect(heights == [-2, -2, -2, -2, 2, 2, 2, 2])
    let histogram = try #require(figures.heightHistogram)
    #expect(histogram.range == 2 && histogram.outside == 0)
    #expect(histogram.counts.first == 4 && histogram.counts.last == 4)
    #expect(figures.points.count == 8 && figures.outside == 0)
    let cells = (0..<80).map { row in (0..<80).map { figures.density[column: $0, row: row] } }
    #expect(cells.joined().reduce(0, +) == 8 && cells.joined().filter { $0 > 0 } == [4, 4])
  }

  @Test func `show the errors of the kept fixes at their own times`() throws {
    var observation = ReceiverObservation(
      in: .fix2D, at: at(0), countsFigures: true, stops: StopCriteria(), keeping: 16)
    for second in 0..<32 {
      guard case .fix(var fix) = fix(Double(second)) else { continue }
      fix.speed = nil
      observation.add(fix, at: at(Double(second)))
    }
    let receiver = observation.report(
      device: nil, driver: nil, eras: [], reference: nil, reconnects: 0, corrections: nil)
    #expect(receiver.fixCount == 32 && receiver.scatter?.positionCount == 16)
    let errors = try #require(receiver.figures?.positions).errors
    // A second is eight columns, and every second fix is kept.
    #expect(errors.indices.filter { !errors[$0].isEmpty } == (0..<16).map { 16 * $0 })
    let text = ReportText.figures(of: receiver, .metric)
    #expect(text.contains("\n  The figures are made of 16 of them, evenly thinned.\n"))
  }

  @Test func `use an evenly spaced part of more than a quarter of a million fixes`() throws {
    var samples = Samples()
    for number in 0..<(2 * Samples.maximumCount + 10) {
      samples.append(Sample(east: Double(number), north: 0, height: nil))
    }
    #expect(samples.total == 524_298 && samples.step == 4)
    #expect(samples.count == 131_075)
    #expect(samples.enumerated().allSatisfy { $1.east == Double(4 * $0) })
  }

  @Test func `round positions to a tenth of a millimetre`() {
    var samples = Samples()
    var expected: [(east: Double, north: Double, height: Double?)] = []
    for number in 0..<10_000 {
      let height = number % 7 == 3 ? nil : Double(number % 100 * -12_345_678) / 10_000
      let east = number % 2 == 0 ? 20_037_508.3427 : -0.0001
      expected.append((east, Double(number) / 10_000, height))
      samples.append(Sample(east: east, north: Double(number) / 10_000, height: height))
    }
    #expect(samples.count == 10_000)
    for (sample, expected) in zip(samples, expected) {
      guard sample.east == expected.east, sample.north == expected.north,
        sample.height == expected.height
      else {
        Issue.record("\(sample), not \(expected)")
        return
      }
    }
    var absurd = Samples()
    absurd.append(Sample(east: 1, north: 2, height: 1e300))
    absurd.append(Sample(east: 1.00004, north: 2.00006, height: -.infinity))
    #expect(absurd.map(\.height) == [1e10, -1e10])
    #expect(absurd.map(\.east) == [1, 1] && absurd.map(\.north) == [2, 2.0001])
  }
}
