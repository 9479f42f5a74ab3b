import LocationCore
import LocationFormats
import LocationText
import Testing

@Suite struct `Renderers of several sources` {
  private static func fix(_ device: String = "/dev/a") -> LocationFix {
    LocationFix(coordinate: Coordinate(latitude: 1, longitude: 2)!, mode: .fix2D, device: device)
  }

  private static let lost = StateChange(
    .lost, of: .receiver("/dev/a"), at: Moment(uptime: .seconds(1)))

  private static let point = "<trkpt lat=\"1.0\" lon=\"2.0\"><fix>2d</fix></trkpt>\n"

  private static func track(_ source: String) -> String {
    "<trk>\n<name>\(source)</name>\n<src>/dev/a</src>\n<trkseg>\n" + point
  }

  private func written<Format: Renderer, Other: Renderer>(
    by renderer: inout Format, after other: inout Other, _ device: String = "/dev/a"
  ) -> String {
    var output = TextBuffer()
    var last: any Renderer = other
    renderer.resume(after: &last, into: &output)
    if let last = last as? Other { other = last }
    renderer.fix(Self.fix(device), into: &output)
    return output.string
  }

  private static let end = "</trkseg>\n</trk>\n"
  private static let segment = "</trkseg>\n<trkseg>\n"

  @Test func `have a track of GPX each, one after the other`() {
    var (bow, stern) = (GPXRenderer(source: "bow"), GPXRenderer(source: "stern"))
    #expect(written(by: &stern, after: &bow) == Self.track("stern"))
    #expect(bow.trailer == "</gpx>\n" && stern.trailer == Self.end + "</gpx>\n")
    #expect(written(by: &bow, after: &stern) == "")
    #expect(bow.trailer == Self.end + "</gpx>\n" && stern.trailer == "</gpx>\n")
    #expect(written(by: &stern, after: &bow) == Self.point)
    // A loss of one source is none of another.
    var output = TextBuffer()
    stern.state(Self.lost, into: &output)
    #expect(output.string == "")
    #expect(written(by: &bow, after: &stern) == "")
    #expect(written(by: &stern, after: &bow) == Self.segment + Self.point)
    var csv = CSVRenderer()
    #expect(written(by: &stern, after: &csv) == Self.point)
    stern.writeKept(into: &output)
    #expect(output.string == Self.end + Self.track("bow") + Self.point)
    output.removeAll()
    stern.end(into: &output)
    #expect(output.string == Self.end + "</gpx>\n")
  }

  @Test func `have a track of GPX for each receiver, with its losses`() {
    var renderer = GPXRenderer()
    var output = TextBuffer()
    let failed = StateChange(.noService, at: Moment(uptime: .zero))
    func tracks(_ devices: String...) -> String {
      for device in devices {
        if device == "lost" {
          renderer.state(Self.lost, into: &output)
        } else if device == "failed" {
          renderer.state(failed, into: &output)
        } else {
          renderer.fix(Self.fix(device), into: &output)
        }
      }
      defer { output.removeAll() }
      return output.string
    }
    func track(_ device: String) -> String {
      "<trk>\n<src>\(device)</src>\n<trkseg>\n" + Self.point
    }
    #expect(tracks("/dev/b", "/dev/a", "/dev/c", "/dev/b") == track("/dev/b") + Self.point)
    #expect(tracks("lost", "/dev/a", "/dev/b", "lost", "lost", "/dev/a") == Self.point)
    #expect(tracks("failed", "/dev/c", "/dev/b") == Self.segment + Self.point)
    #expect(tracks("lost") == "")
    renderer.end(into: &output)
    #expect(
      tracks()
        == Self.end + track("/dev/a") + Self.segment + Self.point + Self.segment + Self.point
        + Self.end + track("/dev/c") + Self.segment + Self.point + Self.end + "</gpx>\n")
    // The last one is open now.
    #expect(tracks("/dev/c") == Self.point)
  }

  @Test(arguments: [true, false])
  func `write another track of GPX when too much is kept`(isOneLarge: Bool) {
    let (start, size) = ("<trkseg>\n".utf8.count, Self.point.utf8.count)
    let limits = TrackLimits(
      track: isOneLarge ? start + 2 * size : .max, total: isOneLarge ? .max : 2 * start + 3 * size)
    var renderer = GPXRenderer(limits: limits)
    var output = TextBuffer()
    var texts: [String] = []
    for device in ["a", "b", "b", "c", "b", "a", "c", "b", "c"] {
      output.removeAll()
      renderer.fix(Self.fix(device), into: &output)
      texts.append(output.string)
    }
    func track(_ device: String, _ count: Int) -> String {
      "<trk>\n<src>\(device)</src>\n<trkseg>\n" + String(repeating: Self.point, count: count)
    }
    #expect(
      texts == [
        track("a", 1), "", "", "", Self.end + track("b", 3), "", "", Self.point,
        Self.end + track("c", 3),
      ])
    output.removeAll()
    renderer.writeKept(into: &output)
    #expect(output.string == Self.end + track("a", 1))
    #expect(TrackLimits.live.track == 16 << 10 && TrackLimits.live.total == 1 << 20)
    #expect(TrackLimits.replay.track == .max)
    #expect(TrackLimits.replay.total == 64 << 20)
  }

  @Test func `begin a new segment when a provider is selected again`() {
    var renderer = GPXRenderer(source: "bow")
    var output = TextBuffer()
    for (index, source) in ["stern", "bow", "stern", "stern"].enumerated() {
      if index < 3 { renderer.begin(source: source) }
      renderer.fix(Self.fix(), into: &output)
    }
    #expect(
      output.string == Self.track("stern") + Self.segment + Self.point + Self.point)
    output.removeAll()
    renderer.begin(source: "bow")
    renderer.fix(Self.fix(), into: &output)
    renderer.writeKept(into: &output)
    #expect(output.string == Self.end + Self.track("bow") + Self.segment + Self.point)
  }

  @Test func `separate the features of GeoJSON by one comma`() {
    var (bow, stern) = (GeoJSONRenderer(source: "bow"), GeoJSONRenderer(source: "stern"))
    #expect(written(by: &bow, after: &stern).hasPrefix("\n{"))
    #expect(written(by: &stern, after: &bow).hasPrefix(",\n{"))
    #expect(written(by: &bow, after: &stern).hasPrefix(",\n{"))
    var third = GeoJSONRenderer()
    var csv = CSVRenderer()
    #expect(written(by: &third, after: &csv).hasPrefix("\n{"))
  }

  @Test func `count lines, bad lines and connections`() {
    var renderer = PrometheusRenderer(source: "a") {
      PrometheusRenderer.Input(connects: 5, lines: 10, badLines: 6)
    }
    var output = TextBuffer()
    renderer.state(Self.lost, into: &output)
    renderer.state(Self.lost, into: &output)
    let samples = renderer.trailer.split(separator: "\n").filter {
      $0.contains("_total{")
    }
    #expect(
      samples == [
        #"locwatch_transitions_total{source="a"} 2"#, #"locwatch_connects_total{source="a"} 5"#,
        #"locwatch_lines_total{source="a"} 10"#, #"locwatch_bad_lines_total{source="a"} 6"#,
      ])
  }
}
