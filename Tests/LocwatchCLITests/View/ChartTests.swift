import Foundation
import GPSDLocation
import LocationCore
import LocationFormats
@testable import LocwatchCLI
import ReceiverRecordings
import Testing

@Suite struct SkyChartTests {
  @Test func `Satellites stand where they are, used ones in upper case`() {
    let lines = drawn(ViewSamples.satellites, columns: 36, rows: 18)
    #expect(
      lines == [
        "            ⢀⣀⠤⠤⠤r7⠤⠤⠤⣀⡀", "        ⢀⠤⠒⠉⠁          ⠈⠉⠒⠤⡀",
        "      ⡠⠞⠁                  ⠈⠳⢄", "    ⣠⠎        ⠄ ⠂⠐ ⠐ ⠠        ⠱⣄",
        "   ⡔⠁     ⠠ ⠁          ⠈ ⠄     ⠈⢢", "  ⡜      ⠂              g29      ⢣",
        " ⢰⠁     ⠁    ⢀ ⠐  ⠁ ⠂ ⡀    ⠈     ⠈⡆", " ⡇     ⠁    G2    C23  ⡀    ⠈     ⢸",
        " ⡇    ⠈                      ⠁    ⢸", " W E11⢈     ⠁     ⠁    ⠈     ⡁    E",
        " ⡇     ⡀    ⠈          ⠁    ⢀   j2⢸", " ⠸⡀     ⡀    ⠈ ⠠  ⡀ ⠄ ⠁    ⢀     ⢀⠇",
        "  ⢣      ⠄          G5    ⠠      ⡜", "   ⠣⡀     ⠐ ⡀          ⢀ ⠂     ⢀⠜",
        "    ⠙⢆R8      ⠂ ⠄s33 ⠐        ⡰⠋", "      ⠑⢦⡀                  ⢀⡴⠊",
        "        ⠈⠒⠤⣀⡀          ⢀⣀⠤⠒⠁", "            ⠈⠉⠒⠒⠒⠒S⠒⠒⠒⠉⠁",
      ])
  }

  @Test func `Without UTF-8 the circles are full stops`() {
    let lines = drawn(ViewSamples.satellites, columns: 20, rows: 10, showsUTF8: false)
    #expect(
      lines == [
        "      ...r7...", "   ...        ...", "  .. .   .    . ..", " .     .  . .g29  .",
        " .    G2 C23      .", " WE11  .  . .  . j2", " .     .  . .     .", "  .R8. s33.G5 . ..",
        "   ...        ...", "      ....S...",
      ])
  }

  @Test func `Of labels in one place, the used one is first, the others stand aside or shrink`() {
    func satellite(_ number: Int, _ isUsed: Bool) -> Satellite {
      Satellite(
        prn: number, gnssID: 0, svID: number, elevation: 90, azimuth: 0, isUsed: isUsed)
    }
    let crowd = [
      satellite(1, false), satellite(2, true), satellite(3, false), satellite(4, false),
      satellite(5, false),
    ]
    let lines = drawn(crowd, columns: 24, rows: 12)
    #expect(
      lines[5...7].map { $0.filter { $0.isLetter || $0.isNumber } } == ["g4", "Wg3G2g1E", "g5"])
  }

  @Test func `A satellite below the horizon or without angles is not drawn`() {
    let hidden = [
      Satellite(prn: 1, gnssID: 0, elevation: -1, azimuth: 0, isUsed: true),
      Satellite(prn: 2, gnssID: 0, azimuth: 0, isUsed: true),
    ]
    #expect(drawn(hidden, columns: 20, rows: 10) == drawn([], columns: 20, rows: 10))
  }

  @Test(.enabled(if: Recordings.folder != nil, "\(Recordings.whySkipped)"))
  func `All 41 satellites of a ZED-F9P fit into 46 x 23 cells`() throws {
    let folder = try #require(Recordings.folder)
    let file = folder.appending(path: "json/ublox-zed-f9p-nmea.jsonl")
    var decoder = GPSDDecoder()
    var most: [Satellite] = []
    for line in try Recordings.lines(of: file) where decoder.decode(line.span) == .sky {
      let satellites = TrackedSatellite.all(in: decoder.sky.satellites ?? []).inOrder
      if satellites.count > most.count { most = satellites }
    }
    #expect(most.count == 41)
    let text = drawn(most, columns: 46, rows: 23).joined(separator: "\n")
    let missing = most.filter { satellite in
      satellite.elevation != nil && !text.contains(SatelliteLabel(satellite).text)
    }
    #expect(missing.map { SatelliteLabel($0).text } == [])
  }

  private func drawn(
    _ satellites: [Satellite], columns: Int, rows: Int, showsUTF8: Bool = true
  ) -> [String] {
    var canvas = Canvas(columns: columns, rows: rows)
    SkyChart(satellites: satellites, showsUTF8: showsUTF8).draw(on: &canvas, in: canvas.area)
    return canvas.lines
  }
}

@Suite struct SatelliteLabelTests {
  @Test(arguments: [
    (Satellite(prn: 5, gnssID: 0, svID: 5, isUsed: true), "G5"), (Satellite(prn: 5), "g5"),
    (Satellite(prn: 133, gnssID: 1, svID: 133), "s33"), (Satellite(prn: 46), "s33"),
    (Satellite(prn: 71, isUsed: true), "R7"), (Satellite(prn: 71, gnssID: 6, svID: 7), "r7"),
    (Satellite(prn: 194), "j2"), (Satellite(prn: 311), "e11"), (Satellite(prn: 423), "c23"),
    (Satellite(prn: 500), "?500"), (Satellite(prn: 173, gnssID: 4, svID: 1), "-1"),
  ])
  func `A label is a letter and a number as in RINEX`(satellite: Satellite, label: String) {
    #expect(SatelliteLabel(satellite).text == label)
  }

  @Test func `Satellites are ordered by system and number, whatever comes first`() {
    let labels = TrackedSatellite.all(in: ViewSamples.satellites.reversed()).inOrder
      .map { SatelliteLabel($0).text }
    #expect(labels == ["G2", "G5", "g29", "s33", "E11", "C23", "j2", "r7", "R8"])
  }
}

@Suite struct SignalBarsTests {
  @Test func `A bar is as high as the signal is strong, with a number where there is room`() {
    #expect(
      drawn(columns: 40) == [
        "C/N0 dBHz  capitals are used", "50 46  44", "   ▆▆  ▃▃      38      41          36",
        "40 ██  ██  33  ▄▄  30  ██          ▂▂", "30 ██  ██  ▆▆  ██  ▂▂  ██          ██",
        "   ██  ██  ██  ██  ██  ██          ██", "20 ██  ██  ██  ██  ██  ██      12  ██",
        "10 ██  ██  ██  ██  ██  ██      ▆▆  ██", "   ██  ██  ██  ██  ██  ██      ██  ██",
        "   G2  G5  g29 s33 E11 C23 j2  r7  R8",
      ])
  }

  @Test func `Narrow bars have their labels from top to bottom`() {
    #expect(
      drawn(columns: 12) == [
        "C/N0 dBHz", "50", "40 █▆ ▁ ▄", "30 ██▅█▂█  ▇", "20 ██████  █", "10 ██████ ▂█",
        "   ██████ ██", "   GGgsECjrR", "   252312278", "     9313",
      ])
  }

  @Test func `Where there is no room for all, the used and the strong ones stay`() {
    #expect(
      drawn(columns: 8) == [
        "C/N0 d+4", "50", "40 █▆ ▄", "30 ██▂█▇", "20 █████", "10 █████", "   █████", "   GGECR",
        "   25128", "     13",
      ])
  }

  @Test(arguments: [
    (7, ["   GGCR", "   2528", "     3"]), (9, ["   GGsECR", "   253128", "     313"]),
    (11, ["   GGgsECrR", "   25231278", "     9313"]),
  ])
  func `Of the used and of the unused satellites, the weakest give way`(
    columns: Int, labels: [String]
  ) {
    #expect(drawn(columns: columns).suffix(3) == labels[...])
  }

  @Test(arguments: [
    (5, 10, ["", "", "", "", "", "", "", "", "", ""]),
    (6, 3, ["C/N0+6", "20 ▇▆▆", "   GGC"]), (6, 2, ["", ""]),
  ])
  func `There are none without room for three of them and their labels`(
    columns: Int, rows: Int, lines: [String]
  ) {
    #expect(drawn(columns: columns, rows: rows) == lines)
  }

  @Test func `Without UTF-8 bars are hashes, and colons where a satellite is not used`() {
    #expect(
      drawn(columns: 22, showsUTF8: false) == [
        "C/N0 dBHz", "50", "40 # #       #", "30 # # : :   #     #", "20 # # : : # #     #",
        "10 # # : : # #     #", "   # # : : # #   : #", "   G G g s E C j r R",
        "   2 5 2 3 1 2 2 7 8", "       9 3 1 3",
      ])
  }

  @Test func `Used satellites are bold in the colour of their system, others faint`() {
    var canvas = Canvas(columns: 40, rows: 10)
    SignalBars(satellites: ViewSamples.satellites, showsUTF8: true)
      .draw(on: &canvas, in: canvas.area)
    #expect(canvas[3, 8].style == CellStyle(weight: .bold, color: .rgb(0x0072B2)))
    #expect(canvas[11, 8].style == CellStyle(weight: .faint, color: .rgb(0x0072B2)))
  }

  private func drawn(columns: Int, rows: Int = 10, showsUTF8: Bool = true) -> [String] {
    var canvas = Canvas(columns: columns, rows: rows)
    SignalBars(satellites: ViewSamples.satellites, showsUTF8: showsUTF8)
      .draw(on: &canvas, in: canvas.area)
    return canvas.lines
  }
}

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

  @Test func `A trail takes positions that are 0.9 s apart, and drops those of ten minutes ago`()
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
      fix.altHAE = 0
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
      fix.altHAE = 0
      fix.coordinate = try #require(Coordinate(latitude: 50, longitude: 1e-5 * Double(second)))
      trail.add(fix, at: Moment(uptime: .seconds(second)))
      fix.altHAE = 1e14
      tall.add(fix, at: Moment(uptime: .seconds(second)))
    }
    #expect(tall.deviations?.maximum == trail.deviations?.maximum)
  }

  @Test func `Far above the ground, deviations are larger, also without a height of late`() throws {
    var trail = FixTrail()
    for (second, height) in [637_813.7, nil].enumerated() {
      var fix = Samples.fix
      (fix.altHAE, fix.altMSL) = (height, nil)
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

  private func drawn(columns: Int, rows: Int) -> [String] {
    var canvas = Canvas(columns: columns, rows: rows)
    let deviations = ViewSamples.model.content(at: ViewSamples.now).deviations
    ScatterChart(deviations: deviations, units: .metric, showsUTF8: true)
      .draw(on: &canvas, in: canvas.area)
    return canvas.lines
  }
}
