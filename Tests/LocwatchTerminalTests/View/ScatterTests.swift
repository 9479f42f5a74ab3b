import LocationCore
import LocationFormats
import Testing

@testable import LocationText
@testable import LocwatchTerminal

@Suite struct ScatterTests {
  @Test(arguments: [
    (0, 0.1), (0.1, 0.1), (0.11, 0.2), (0.9, 1), (1, 1), (1.01, 2), (3, 5), (5.1, 10), (99, 100),
    (101, 200), (12_345, 20_000),
  ])
  func `The circle is the next round number of metres`(maximum: Double, scale: Double) {
    #expect(abs(ScatterChart.scale(for: maximum) / scale - 1) < 1e-9)
  }

  @Test func `Positions are dots about their mean, the last one a cross`() {
    #expect(
      drawn(columns: 30, rows: 12) == [
        "Scatter of 121 fixes in 2 min", "          ⡀⠄⠂⠂⠒⠐⠐⠐⠠⢀", "       ⢀⠐⠁          ⠈⠂⡀",
        "      ⠠⠁      ⢀       ⠈⠄", "     ⠠⠁     ⡆ ⢸  ⢰     ⠈⠄", "     ⠨    ⢠ ⡇ ⢸  ⢸ ⡄    ⠅",
        "     ⢘     ⡇ ⡇⠈ ⡇⠈⢸⠁    ⡃", "     ⠐⡀    ⠁ ⡇  ⡇ +    ⢀⠂", "      ⠐⡀              ⢀⠂",
        "       ⠈⠠⡀          ⢀⠄⠁", "          ⠁⠂⠄⠄⠄⠤⠠⠠⠐⠈", "circle 5 m, half in 1.9 m",
      ])
  }

  @Test(arguments: [
    (3e-7, "circle 0.10 m, half in 0.03 m"), (1e-5, "circle 2 m, half in 1.1 m"),
    (2e-4, "circle 50 m, half in 22 m"), (0.1, "circle 20 km, half in 11 km"),
  ])
  func `The text fits the size of the scatter`(degrees: Double, legend: String) throws {
    var trail = FixTrail()
    for (second, latitude) in [-degrees, degrees].enumerated() {
      var fix = Samples.fix
      fix.coordinate = try #require(Coordinate(latitude: latitude, longitude: 0))
      trail.add(fix, at: Moment(uptime: .seconds(second)))
    }
    var canvas = Canvas(columns: 30, rows: 12)
    ScatterChart(deviations: trail.deviations, units: .metric, showsUTF8: true)
      .draw(on: &canvas, in: canvas.area)
    #expect(canvas.lines.last == legend)
  }

  @Test(arguments: [
    (0.994, "0.99 m"), (0.995, "1.0 m"), (1, "1 m"), (1.5, "1.5 m"), (9.94, "9.9 m"),
    (9.96, "10 m"), (12.3, "12 m"), (999.4, "999 m"), (1000, "1 km"), (1234, "1.2 km"),
    (12_345, "12 km"),
  ])
  func `A length has two or three digits, and is in kilometres from one on`(
    metres: Double, text: String
  ) {
    #expect(drawn(spread(metres), columns: 36, rows: 9).last?.contains("half in \(text)") == true)
  }

  @Test func `Feet stay feet`() {
    let last = drawn(spread(1234), columns: 36, rows: 9, units: .imperial).last
    #expect(last == "circle 5000 ft, half in 4049 ft")
  }

  @Test(arguments: [
    (34, "Scatter of 3 fixes in 2 min"), (44, "Scatter of 3 fixes in 2 min, + is the last"),
    (42, "Scatter of 3 fixes in 2 min, + is the last"), (41, "Scatter of 3 fixes in 2 min"),
    (27, "Scatter of 3 fixes in 2 min"), (26, "Scatter, 2 min"), (14, "Scatter, 2 min"),
    (13, "Scatter 2 min"), (12, "Scatter"),
  ])
  func `The title is the longest that fits`(columns: Int, title: String) {
    #expect(drawn(spread(3), columns: columns, rows: 9).first == title)
  }

  @Test(arguments: [
    (44, "circle 5 m about the mean, half within 3 m"),
    (42, "circle 5 m about the mean, half within 3 m"), (41, "circle 5 m, half in 3 m"),
    (23, "circle 5 m, half in 3 m"), (22, "circle 5 m"), (10, "circle 5 m"), (9, ""),
  ])
  func `The legend is the longest that fits`(columns: Int, legend: String) {
    let lines = drawn(spread(3), columns: columns, rows: 9)
    #expect(lines.last == legend || lines[1 + columns / 2] == legend)
  }

  @Test func `A single position is one fix`() {
    let one = Deviations(points: [(0, 0)], duration: .zero)
    #expect(
      drawn(one, columns: 40, rows: 9) == [
        "Scatter of 1 fix, + is the last", "                ⡀⠔⠐⠐ ⠂⠢⢀", "              ⠠⠁        ⠈⠄",
        "             ⢐⠁          ⠈⡂", "             ⠠      +     ⠄", "             ⠨⡀          ⢀⠅",
        "              ⠐⡀        ⢀⠂", "                ⠁⠢⠠ ⠄⠄⠔⠈", "circle 0.10 m, half in 0.00 m",
      ])
  }

  @Test(arguments: [(8, 4), (7, 9), (8, 3), (9, 5)])
  func `There is no scatter in less than 8 columns and 4 rows`(columns: Int, rows: Int) {
    let lines = drawn(spread(3), columns: columns, rows: rows)
    #expect(lines.allSatisfy(\.isEmpty) == (columns < 8 || rows < 4))
  }

  @Test func `Without positions there is only the title`() {
    #expect(drawn(nil, columns: 9, rows: 5) == ["Scatter", "", "", "", ""])
    #expect(drawn(nil, columns: 9, rows: 3) == ["", "", ""])
  }

  @Test func `East is on the right, north at the top, and the chart in the middle of its area`() {
    let deviations = Deviations(
      points: [(5, 0), (0, 5), (-2.5, 0), (0, -2.5)], duration: .seconds(3))
    var canvas = Canvas(columns: 24, rows: 12)
    ScatterChart(deviations: deviations, units: .metric, showsUTF8: true)
      .draw(on: &canvas, in: Area(column: 2, row: 1, columns: 21, rows: 9))
    #expect(
      canvas.lines == [
        "", "  Scatter, 3.0 s", "        ⡀⠔⠐⠐⠂⠂⠢⢀", "      ⠠⠁        ⠈⠄", "     ⢐⠁          ⠈⡂",
        "     ⠠  ⠠         ⠄", "     ⠨⡀          ⢀⠅", "      ⠐⡀    +   ⢀⠂", "        ⠁⠢⠠ ⠄⠄⠔⠈",
        "  circle 5 m", "", "",
      ])
    #expect(
      canvas.styles == [
        "1 2..<16 faint", "2 8..<12 faint", "2 12..<13 bold", "2 13..<16 faint", "3 6..<8 faint",
        "3 16..<18 faint", "4 5..<7 faint", "4 17..<19 faint", "5 5..<6 faint", "5 8..<9 bold",
        "5 18..<19 bold", "6 5..<7 faint", "6 17..<19 faint", "7 6..<8 faint", "7 12..<13 bold",
        "7 16..<18 faint", "8 8..<11 faint", "8 12..<16 faint", "9 2..<12 faint",
      ])
    var plain = Canvas(columns: 16, rows: 12)
    ScatterChart(deviations: deviations, units: .metric, showsUTF8: false)
      .draw(on: &plain, in: Area(column: 1, row: 1, columns: 12, rows: 11))
    #expect(
      plain.lines == [
        "", " Scatter", "    . .* .", "  .        .", "", " .  *       *", "  .    +   .",
        "    .  . .", " circle 5 m", "", "", "",
      ])
  }

  @Test func `A trail uses the height above the sea if there is no other`() throws {
    var trail = FixTrail()
    for second in 0...1 {
      var fix = Samples.fix
      (fix.ellipsoidalAltitude, fix.altitude) = (nil, 637_813.7)
      fix.coordinate = try #require(
        Coordinate(latitude: 0, longitude: Double(second) * 100 / 111_319.49079))
      trail.add(fix, at: Moment(uptime: .seconds(second)))
    }
    #expect(abs(try #require(trail.deviations).maximum - 55) < 0.01)
  }

  /// Positions of a receiver that stands for some seconds, and then drives north at 20 m/s for others.
  private func trail(standing: Int, driving: Int, standingAgain: Int = 0) throws -> FixTrail {
    var trail = FixTrail()
    for second in 0..<standing + driving + standingAgain {
      let way = 20 * Double(min(max(0, second - standing), driving))
      var fix = Samples.fix
      fix.coordinate = try #require(Coordinate(latitude: way / 111_195, longitude: 0))
      fix.speed = second > standing && second < standing + driving ? 20 : 0
      fix.time = fix.time?.advanced(by: .seconds(second))
      trail.add(fix, at: Moment(uptime: .seconds(second)))
    }
    return trail
  }

  @Test(arguments: [
    (300, 0, 0, false), (0, 60, 0, true), (60, 60, 0, true), (0, 60, 580, true),
    (0, 60, 620, false),
  ])
  func `A receiver that moved within ten minutes has a track`(
    standing: Int, driving: Int, standingAgain: Int, isTrack: Bool
  ) throws {
    let trail = try trail(standing: standing, driving: driving, standingAgain: standingAgain)
    let deviations = try #require(trail.deviations)
    #expect(deviations.isTrack == isTrack)
    let lines = drawn(deviations, columns: 44, rows: 9)
    #expect(lines.first?.hasPrefix(isTrack ? "Track of " : "Scatter of ") == true)
    #expect(lines.last?.contains("half") == !isTrack)
  }

  @Test func `A trail keeps ten minutes, one position a second`() throws {
    var trail = FixTrail()
    #expect(trail.deviations == nil)
    for tenth in 0..<10_000 {
      trail.add(Samples.fix, at: Moment(uptime: .milliseconds(100 * tenth)))
    }
    var late = Samples.fix
    late.isCurrent = false
    trail.add(late, at: Moment(uptime: .seconds(2000)))
    let deviations = try #require(trail.deviations)
    #expect(deviations.points.count == 667)
    #expect(deviations.duration == .milliseconds(599_400))
    #expect(deviations.maximum < 1e-6)
  }

  @Test func `A trail takes positions 0.9 s apart, and drops positions after ten minutes`()
    throws
  {
    var trail = FixTrail()
    #expect(trail.isEmpty)
    for milliseconds in [0, 899, 900, 1799, 1800, 600_000, 600_900] {
      trail.add(Samples.fix, at: Moment(uptime: .milliseconds(milliseconds)))
      #expect(!trail.isEmpty)
    }
    let deviations = try #require(trail.deviations)
    #expect(deviations.points.count == 3)
    #expect(deviations.duration == .milliseconds(599_100))
  }

  @Test func `Half of an odd number of positions are within the one in the middle`() throws {
    var trail = FixTrail()
    for (second, east) in [0.0, 0, 0, 0, 5].enumerated() {
      var fix = Samples.fix
      fix.ellipsoidalAltitude = 0
      fix.coordinate = try #require(Coordinate(latitude: 0, longitude: east / 111_319.49079))
      trail.add(fix, at: Moment(uptime: .seconds(second)))
    }
    let deviations = try #require(trail.deviations)
    #expect(abs(deviations.median - 1) < 0.001)
    #expect(abs(deviations.maximum - 4) < 0.001)
    #expect(deviations.points.map { ($0.east * 10).rounded() / 10 } == [-1, -1, -1, -1, 4])
    #expect(deviations.points.allSatisfy { abs($0.north) < 1e-6 })
  }

  @Test func `An absurd height leaves the deviations as they are`() throws {
    var (trail, tall) = (FixTrail(), FixTrail())
    for second in 0..<3 {
      var fix = Samples.fix
      fix.ellipsoidalAltitude = 0
      fix.coordinate = try #require(Coordinate(latitude: 50, longitude: 1e-5 * Double(second)))
      trail.add(fix, at: Moment(uptime: .seconds(second)))
      fix.ellipsoidalAltitude = 1e14
      tall.add(fix, at: Moment(uptime: .seconds(second)))
    }
    #expect(tall.deviations?.maximum == trail.deviations?.maximum)
  }

  @Test func `Far above the ground, deviations are larger, even if the last fixes have no height`()
    throws
  {
    var trail = FixTrail()
    for (second, height) in [637_813.7, nil].enumerated() {
      var fix = Samples.fix
      (fix.ellipsoidalAltitude, fix.altitude) = (height, nil)
      fix.coordinate = try #require(
        Coordinate(latitude: 0, longitude: Double(second) * 100 / 111_319.49079))
      trail.add(fix, at: Moment(uptime: .seconds(second)))
    }
    #expect(abs(try #require(trail.deviations).maximum - 55) < 0.01)
  }

  @Test func `Deviations are metres about the mean, half of them within the median`() throws {
    var trail = FixTrail()
    for (second, east) in [-3.0, -1, 1, 3].enumerated() {
      var fix = Samples.fix
      // A metre is 9e-6 degrees of latitude.
      fix.coordinate = try #require(
        Coordinate(latitude: 0, longitude: (east < 0 ? 180 : -180) + east / 111_319.49079))
      trail.add(fix, at: Moment(uptime: .seconds(second)))
    }
    let deviations = try #require(trail.deviations)
    #expect(abs(deviations.median - 1) < 0.001)
    #expect(abs(deviations.maximum - 3) < 0.001)
  }

  @Test(arguments: [
    ([4], 4), ([4, 1], 1), ([4, 1, 2], 2), ([8, 4, 1, 2], 2), ([5, 4, 3, 2, 1], 3),
  ])
  func `The median of several deviations is the middle one, or the smaller of two`(
    metres: [Double], median: Double
  ) {
    let deviations = Deviations(points: metres.map { ($0 * 0.6, $0 * 0.8) }, duration: .zero)
    #expect(abs(deviations.median - median) < 1e-9)
    #expect(abs(deviations.maximum - metres[0]) < 1e-9)
  }

  /// Three positions at a distance from their mean.
  private func spread(_ metres: Double) -> Deviations {
    Deviations(points: [(metres, 0), (-metres, 0), (0, metres)], duration: .seconds(121))
  }

  private func drawn(
    _ deviations: Deviations? = ViewSamples.model.content(at: ViewSamples.now).deviations,
    columns: Int, rows: Int, units: UnitSystem = .metric
  ) -> [String] {
    var canvas = Canvas(columns: columns, rows: rows)
    ScatterChart(deviations: deviations, units: units, showsUTF8: true)
      .draw(on: &canvas, in: canvas.area)
    return canvas.lines
  }
}
