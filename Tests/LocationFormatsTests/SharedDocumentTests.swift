import LocationFormats
import Testing

@testable import GPSDLocation

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

  private func written<Format: Renderer>(
    by renderer: inout Format, after other: any Renderer
  ) -> String {
    var output = TextBuffer()
    renderer.goOn(after: other, into: &output)
    renderer.fix(Self.fix(), into: &output)
    return output.string
  }

  @Test func `begin a track of GPX each, after the end of the one before`() {
    var (bow, stern) = (GPXRenderer(source: "bow"), GPXRenderer(source: "stern"))
    #expect(written(by: &stern, after: bow) == Self.track("stern"))
    let end = "</trkseg>\n</trk>\n"
    #expect(bow.trailer == "</gpx>\n" && stern.trailer == end + "</gpx>\n")
    #expect(written(by: &bow, after: stern) == end + Self.track("bow"))
    var output = TextBuffer()
    bow.state(Self.lost, into: &output)
    stern.goOn(after: bow, into: &output)
    #expect(output.string == "" && stern.trailer == end + "</gpx>\n")
    // A loss in the track of another source is none of this one.
    stern.state(Self.lost, into: &output)
    stern.fix(Self.fix(), into: &output)
    #expect(output.string == end + Self.track("stern"))
    #expect(written(by: &bow, after: stern) == end + Self.track("bow"))
    #expect(written(by: &bow, after: GeoRenderer()) == Self.track("bow"))
  }

  @Test func `begin a new track where a provider is selected, and a segment after a loss`() {
    var renderer = GPXRenderer(source: "bow")
    var output = TextBuffer()
    renderer.note(source: "stern")
    renderer.fix(Self.fix(), into: &output)
    renderer.state(
      StateChange(.fix3D, of: .receiver("/dev/a"), at: Moment(uptime: .zero)), into: &output)
    renderer.state(
      StateChange(.lost, of: .receiver("/dev/b"), at: Moment(uptime: .zero)), into: &output)
    renderer.fix(Self.fix(), into: &output)
    renderer.state(Self.lost, into: &output)
    renderer.state(Self.lost, into: &output)
    renderer.fix(Self.fix(), into: &output)
    #expect(
      output.string
        == Self.track("stern") + Self.point + "</trkseg>\n<trkseg>\n" + Self.point)
    output.removeAll()
    renderer.state(Self.lost, into: &output)
    renderer.note(source: "bow")
    renderer.fix(Self.fix(), into: &output)
    #expect(output.string == "</trkseg>\n</trk>\n" + Self.track("bow"))
  }

  @Test func `separate the features of GeoJSON by one comma`() {
    var (bow, stern) = (GeoJSONRenderer(source: "bow"), GeoJSONRenderer(source: "stern"))
    #expect(written(by: &bow, after: stern).hasPrefix("\n{"))
    #expect(written(by: &stern, after: bow).hasPrefix(",\n{"))
    #expect(written(by: &bow, after: stern).hasPrefix(",\n{"))
    var third = GeoJSONRenderer()
    #expect(written(by: &third, after: GeoRenderer()).hasPrefix("\n{"))
  }

  @Test func `count lines, bad lines and connections`() {
    let statistics = GPSDStatistics()
    for _ in 0..<3 { statistics.count(.tpv, otherClass: "") }
    statistics.count(.other, otherClass: "AIS")
    for _ in 0..<2 { statistics.count(.malformed, otherClass: "") }
    statistics.count { counts in
      counts.discards = 4
      counts.connections = 5
      counts.discardedBytes = 100
    }
    var renderer = PrometheusRenderer(source: "a", statistics: statistics)
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

  @Test(
    arguments: [
      (LocationState.connecting, StateChange.Subject.link, nil, false),
      (.connecting, .receiver("/dev/a"), nil, false), (.noService, .link, nil, false),
      (.noDevice, .link, nil, false), (.noDevice, .receiver("/dev/a"), nil, false),
      (.noDevice, .receiver("/dev/b"), nil, true), (.lost, .receiver("/dev/a"), .silence, false),
      (.lost, .receiver("/dev/a"), .noFix, true), (.lost, .receiver("/dev/a"), .stuck, true),
      (.lost, .receiver("/dev/b"), .silence, true), (.searching, .receiver("/dev/a"), nil, true),
      (.fix3D, .receiver("/dev/a"), nil, true), (.fix2D, .link, nil, true),
    ] as [(LocationState, StateChange.Subject, LossReason?, Bool)])
  func `forget the satellites of a receiver that is gone`(
    state: LocationState, subject: StateChange.Subject, loss: LossReason?, isKept: Bool
  ) {
    var memory = SkyMemory()
    memory.remember(SkyView(device: "/dev/a", satellites: [Satellite(prn: 5)]))
    memory.remember(SkyView(device: "/dev/a", seen: 1))
    #expect(memory.satellites(of: "/dev/a")?.map(\.prn) == [5])
    #expect(memory.satellites(of: "/dev/b") == nil)
    memory.update(
      after: StateChange(state, of: subject, loss: loss, at: Moment(uptime: .zero)))
    #expect((memory.satellites(of: "/dev/a") != nil) == isKept)
  }
}
