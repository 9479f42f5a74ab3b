import Foundation
import GPSDLocation
import GPSDProtocol
import LocationCore
import LocationFormats
import ReceiverRecordings
import Testing

@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct SkyChartTests {
  @Test func `A used satellite's label keeps its place, and others move aside or shrink`() {
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

  @Test func `A chart is twice as wide as it is high, and stands in the middle of its area`() {
    func size(_ columns: Int, _ rows: Int) -> [Int] {
      let size = SkyChart.size(in: Area(column: 3, row: 5, columns: columns, rows: rows))
      return [size.columns, size.rows]
    }
    #expect(size(20, 30) == [20, 10] && size(21, 30) == [20, 10] && size(40, 10) == [20, 10])
    var canvas = Canvas(columns: 16, rows: 9)
    SkyChart(satellites: [], showsUTF8: false)
      .draw(on: &canvas, in: Area(column: 1, row: 1, columns: 13, rows: 8))
    #expect(
      canvas.lines == [
        "", "", "    ...N..", "  ... .  ...", "  .  . ..  .", "  W. . .. .E", "  ...  . ...",
        "    ...S..", "",
      ])
  }

  @Test func `There is no chart in fewer than four rows`() {
    #expect(drawn([], columns: 7, rows: 9) == [String](repeating: "", count: 9))
    #expect(drawn([], columns: 8, rows: 4) == [" ⢀⡠⠤N⢄⡀", " ⡎⠐⠌⠤⠂⢱", " W⠡⠃⡛⠌E", " ⠈⠑⠒S⠊⠁"])
  }

  @Test func `Labels at the edges stay in the chart, and the compass stands beside them`() {
    let corners = [0.0, 90, 180, 270].map { azimuth in
      Satellite(
        prn: 11, gnssID: 0, svID: 11, elevation: 0, azimuth: azimuth, isUsed: true)
    }
    #expect(
      drawn(corners, columns: 20, rows: 10, showsUTF8: false) == [
        "      ...G11.N", "   ...        ...", "  .. .   .    . ..", " .     .  . .     .",
        " W                E", "G11 .  .  . .  . G11", " .     .  . .     .", "  .. .    .   . ..",
        "   ...        ...", "      ...G11.S",
      ])
    #expect(
      drawn(corners + corners, columns: 20, rows: 10, showsUTF8: false) == [
        "      ...G11.N", "   ...   G11  ...", "  .. .   .    . ..", " .     .  . .     .",
        "G11              G11", "G11 .  .  . .  . G11", " W     .  . .     E", "  .. .    .   . ..",
        "   ...   G11  ...", "      ...G11.S",
      ])
  }

  @Test func `A crowd spreads over the columns and rows about its place until there is no room`() {
    let crowd = (1...24).map { number in
      Satellite(prn: number, gnssID: 0, svID: number, elevation: 80, azimuth: 90)
    }
    #expect(
      drawn(crowd, columns: 24, rows: 12, showsUTF8: false) == [
        "       .....N....", "    ....        ....", "  ...   .  .   .   ...",
        " ..                  ..", " .   .   .  . .   .   .", " .          g4 g      .",
        " W  .   . g3g1g2   .  E", " .   .   .  g5.g  .   .", " ..                  ..",
        "  ...   .   .  .   ...", "    ....        ....", "       .....S....",
      ])
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
    (Satellite(prn: 120), "s20"), (Satellite(prn: 158), "s58"), (Satellite(prn: 33), "s20"),
    (Satellite(prn: 64), "s51"), (Satellite(prn: 65, gnssID: 1), "s65"),
    (Satellite(prn: 32, gnssID: 1), "s32"), (Satellite(prn: 119, gnssID: 1), "s119"),
    (Satellite(prn: 65), "r1"), (Satellite(prn: 64, gnssID: 6), "r64"),
    (Satellite(prn: 1, gnssID: 6, svID: 71), "r71"), (Satellite(prn: 193), "j1"),
    (Satellite(prn: 192, gnssID: 5), "j192"), (Satellite(prn: 1, gnssID: 5, svID: 194), "j194"),
    (Satellite(prn: 301), "e1"), (Satellite(prn: 300, gnssID: 2), "e300"),
    (Satellite(prn: 1, gnssID: 2, svID: 311), "e311"), (Satellite(prn: 401), "c1"),
    (Satellite(prn: 400, gnssID: 3), "c400"), (Satellite(prn: 1, gnssID: 3, svID: 423), "c423"),
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

  @Test func `Satellites are ordered by the number of their label, with and without a gnssid`() {
    let mixed = [
      Satellite(prn: 69, gnssID: 6, svID: 5), Satellite(prn: 65), Satellite(prn: 46),
      Satellite(prn: 131, gnssID: 1, svID: 131), Satellite(prn: 123, gnssID: 1, svID: 123),
    ]
    let labels = TrackedSatellite.all(in: mixed).inOrder.map { SatelliteLabel($0).text }
    #expect(labels == ["s23", "s31", "s33", "r1", "r5"])
  }

  @Test func `Satellites of an unknown system are the last ones, by their PRN`() {
    let unknown = [
      Satellite(prn: 501), Satellite(prn: 500), Satellite(prn: 72), Satellite(prn: 80, svID: 3),
    ]
    let labels = TrackedSatellite.all(in: unknown).inOrder.map { SatelliteLabel($0).text }
    #expect(labels == ["r3", "r8", "?500", "?501"])
  }

  @Test func `A satellite has the colour of its system, and is bold if it is used`() {
    #expect(
      CellStyle(Satellite(prn: 5, isUsed: true)) == CellStyle(weight: .bold, color: .rgb(0x0087FF)))
    #expect(CellStyle(Satellite(prn: 71)) == CellStyle(color: .rgb(0xD55E00)))
    #expect(CellStyle(Satellite(prn: 500)) == .plain)
    #expect(CellStyle(LocationState.fix3D) == CellStyle(weight: .bold, color: .ansi(32)))
  }
}
