import LocationCore
import Testing

@testable import LocwatchCLI

/// What the records of several sources are in each format.
@Suite struct `With several sources` {
  private static let second = LocationFix.origin

  private func written(_ arguments: String...) throws -> String {
    let pipe = try PipeEnds()
    let options = try Options(arguments: arguments + ["a=h1", "b=h2"], environment: [:])
    var stream = StreamPresenter(to: OutputSink(pipe.descriptor, waitsForReader: true))
    for (index, target) in options.fleet.enumerated() {
      stream.add(options.member(target), as: index)
    }
    let now = Moment(uptime: .seconds(1))
    stream.begin(at: now)
    for source in [0, 1, 1, 0] { stream.present(.fix(fix), of: source, at: now) }
    try stream.finish(waitsForReader: true)
    return String(decoding: pipe.readAll(), as: UTF8.self)
  }

  private var fix: LocationFix {
    LocationFix(
      coordinate: Coordinate(latitude: 48, longitude: 11)!, mode: .fix2D, device: "/dev/x")
  }

  @Test func `JSON and GeoJSON name the source`() throws {
    let json = try written("-j").split(separator: "\n").map { $0.prefix(27) }
    #expect(
      json == [
        #"{"type":"fix","source":"a","#, #"{"type":"fix","source":"b","#,
        #"{"type":"fix","source":"b","#, #"{"type":"fix","source":"a","#,
      ])
    let geojson = try written("-f", "geojson").split(separator: "\n")
    #expect(geojson.count == 6 && geojson[1].hasSuffix("},") && geojson[4].hasSuffix("}"))
    #expect(geojson[2].contains(#""properties":{"type":"fix","source":"b","device":"/dev/x""#))
  }

  @Test func `CSV has one header, and the source in its first column`() throws {
    #expect(
      try written("-f", "csv:lat,lon")
        == "source,lat,lon\r\na,48.0,11.0\r\nb,48.0,11.0\r\nb,48.0,11.0\r\na,48.0,11.0\r\n")
  }

  @Test func `text begins with the source`() throws {
    #expect(
      try written()
        == "a - fix-2d 48.0 11.0\nb - fix-2d 48.0 11.0\nb - fix-2d 48.0 11.0\n"
        + "a - fix-2d 48.0 11.0\n")
  }

  @Test func `GPX is one document, with a track for each run of a source`() throws {
    let gpx = try written("-f", "gpx").split(separator: "\n").dropFirst(2)
      .map { $0.hasPrefix("<trkpt") ? "." : String($0) }
    let begin = ["<src>/dev/x</src>", "<trkseg>"]
    let end = ["</trkseg>", "</trk>"]
    let first = ["<trk>", "<name>a</name>"] + begin + ["."] + end
    let other = ["<trk>", "<name>b</name>"] + begin + [".", "."] + end
    #expect(gpx == first + other + first + ["</gpx>"])
  }
}
