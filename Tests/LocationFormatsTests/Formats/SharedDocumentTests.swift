import LocationCore
import LocationFormats
import LocationText
import Testing

@Suite struct `Renderers of several sources` {
  private static func fix(_ device: String = "/dev/a") -> LocationFix {
    LocationFix(coordinate: Coordinate(latitude: 1, longitude: 2)!, mode: .fix2D, device: device)
  }

  private static let point = "<trkpt lat=\"1.0\" lon=\"2.0\"><fix>2d</fix></trkpt>\n"

  private static func track(_ source: String) -> String {
    "<trk>\n<name>\(source)</name>\n<src>/dev/a</src>\n<trkseg>\n" + point
  }

  private static let end = "</trkseg>\n</trk>\n"
  private static let segment = "</trkseg>\n<trkseg>\n"

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
}
