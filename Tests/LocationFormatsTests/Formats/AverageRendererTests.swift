import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats
@testable import LocationText

@Suite struct AverageRendererTests {
  private static let coordinate = Samples.fix.coordinate
  static let full = MeanPosition(
    device: Samples.device, start: Samples.time(5, 12),
    end: Samples.time(15, 12, milliseconds: 500),
    coordinate: coordinate, altHAE: 592.3, altMSL: 545.4,
    standardError: MeanPosition.StandardError(east: 0.31, north: 0.28, up: 0.62), fixCount: 600,
    outlierCount: 3)
  static let bare = MeanPosition(coordinate: coordinate, fixCount: 2)

  private func records(
    of format: LocationFormat, _ means: MeanPosition...,
    change: (inout RecordStyle) -> Void = { _ in }
  ) -> String {
    var style = RecordStyle()
    style.isAverage = true
    style.isOnce = true
    change(&style)
    var renderer = format.makeRenderer(style)
    var output = TextBuffer()
    renderer.begin(into: &output)
    renderer.render(.fix(Samples.fix), into: &output)
    renderer.render(.state(Samples.searching), into: &output)
    for mean in means { renderer.average(mean, into: &output) }
    renderer.end(into: &output)
    return output.string
  }

  @Test func `Text has the position, the height, the errors and the number of fixes`() {
    #expect(
      records(of: .text, Self.full, Self.bare) == """
        48.118633333 11.517333333 545.4 0.31 0.28 0.62 600
        48.118633333 11.517333333 - - - - 2

        """)
  }

  @Test func `Text has the requested units and coordinates, and the name of the source`() {
    let text = records(of: .text, Self.full) {
      $0.units = .imperial
      $0.coordinates = .maidenhead
      $0.source = "roof"
    }
    #expect(text == "roof JN58sc28 1789.4ft 1.0ft 0.9ft 2.0ft 600\n")
  }

  @Test func `JSON leaves out unknown values`() {
    #expect(
      records(of: .ndjson, Self.full, Self.bare) == """
        {"type":"average","device":"/dev/ttyACM0","from":"2026-11-20T07:05:12.000Z",\
        "to":"2026-11-20T07:15:12.500Z","lat":48.118633333,"lon":11.517333333,"altHAE":592.3,\
        "altMSL":545.4,"errEast":0.31,"errNorth":0.28,"errUp":0.62,"fixes":600,"outliers":3}
        {"type":"average","lat":48.118633333,"lon":11.517333333,"fixes":2,"outliers":0}

        """)
    #expect(
      records(of: .ndjson, Self.bare) { $0.source = "roof" }
        .hasPrefix(#"{"type":"average","source":"roof","lat""#))
  }

  @Test func `CSV has its own columns, and empty cells for unknown values`() {
    #expect(
      records(of: .csv, Self.full, Self.bare)
        == "from,to,lat,lon,altHAE,altMSL,east,north,up,fixes,outliers,device\r\n"
        + "2026-11-20T07:05:12.000Z,2026-11-20T07:15:12.500Z,48.118633333,11.517333333,592.3,545.4,"
        + "0.31,0.28,0.62,600,3,/dev/ttyACM0\r\n"
        + ",,48.118633333,11.517333333,,,,,,2,0,\r\n")
    #expect(
      records(of: .csv, Self.bare) { $0.source = "roof" }
        == "source,from,to,lat,lon,altHAE,altMSL,east,north,up,fixes,outliers,device\r\n"
        + "roof,,,48.118633333,11.517333333,,,,,,2,0,\r\n")
  }

  @Test func `Formats without averages write none`() {
    for format in LocationFormat.named where !format.traits.contains(.averages) {
      #expect(records(of: format, Self.full) == records(of: format), "\(format.name)")
    }
    #expect(
      LocationFormat.named.filter { $0.traits.contains(.averages) } == [.text, .ndjson, .csv])
    #expect(!LocationFormat.csv(columns: [.lat]).traits.contains(.averages))
  }
}
