import LocationCore
import LocationFormats
import LocationSamples
import LocationText
import Testing

/// The direction of a receiver that does not move is noise.
@Suite struct `The course of a receiver at rest` {
  private static let renderers: [(name: String, renderer: any Renderer)] = [
    ("json", JSONRenderer()), ("csv", CSVRenderer(columns: FixField.allCases)),
    ("gpx", GPXRenderer()), ("kml", KMLRenderer()), ("geojson", GeoJSONRenderer()),
    ("text", TextRenderer()), ("owntracks", OwnTracksRenderer(source: "a")),
    ("signalk", SignalKRenderer(source: "a")),
    ("nmea", NMEARenderer()), ("prometheus", PrometheusRenderer(source: "a")),
  ]
  /// Formats that have no course at all.
  private static let without: Set<String> = ["kml", "text"]

  private func text(of fix: LocationFix, by renderer: any Renderer) -> String {
    var renderer = renderer
    var output = TextBuffer()
    renderer.fix(fix, into: &output)
    return output.string + renderer.trailer
  }

  @Test(arguments: renderers.map(\.name))
  func `is in no format`(name: String) throws {
    let renderer = try #require(Self.renderers.first { $0.name == name }?.renderer)
    for (speed, error, isNoise) in [
      (0.09, nil, true), (0.49, 0.5, true), (0.5, 9, false), (0.1, nil, false),
    ] as [(Double, Double?, Bool)] {
      var fix = Samples.fix
      fix.speed = speed
      fix[.eps] = error
      (fix.course, fix[.magtrack]) = (176, 173)
      var other = fix
      (other.course, other[.magtrack]) = (nil, nil)
      let isSame = text(of: fix, by: renderer) == text(of: other, by: renderer)
      #expect(isSame == (isNoise || Self.without.contains(name)))
    }
  }
}
