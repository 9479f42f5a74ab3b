import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats
@testable import LocationText

@Suite struct PrometheusRendererTests {
  var renderer = PrometheusRenderer(source: "boat")

  /// The samples of the document, without the comments.
  private func samples(_ document: String? = nil) -> [String] {
    (document ?? renderer.trailer).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map(String.init)
  }

  /// The samples of a metric, without what all have.
  private func samples(of metric: String, in document: String? = nil) -> [String] {
    samples(document).filter { $0.hasPrefix("locwatch_\(metric){") }.map {
      String($0.dropFirst("locwatch_\(metric)".count)).replacing("source=\"boat\"", with: "")
        .replacing(",device=\"/dev/ttyACM0\"", with: "")
    }
  }

  @Test mutating func `A fix is a sample of each quantity`() {
    _ = renderer.state(Samples.fixed)
    _ = renderer.sky(Samples.sky)
    #expect(renderer.fix(Samples.fix) == "")
    let labels = #"{source="boat",device="/dev/ttyACM0""#
    #expect(
      samples() == [
        #"locwatch_up{source="boat"} 1"#,
        #"locwatch_receiver_state\#(labels),state="connecting"} 0"#,
        #"locwatch_receiver_state\#(labels),state="no-daemon"} 0"#,
        #"locwatch_receiver_state\#(labels),state="no-device"} 0"#,
        #"locwatch_receiver_state\#(labels),state="searching"} 0"#,
        #"locwatch_receiver_state\#(labels),state="fix-2d"} 0"#,
        #"locwatch_receiver_state\#(labels),state="fix-3d"} 1"#,
        #"locwatch_receiver_state\#(labels),state="lost"} 0"#,
        #"locwatch_transitions_total{source="boat"} 1"#,
        #"locwatch_connects_total{source="boat"} 0"#,
        #"locwatch_lines_total{source="boat"} 0"#,
        #"locwatch_bad_lines_total{source="boat"} 0"#,
        #"locwatch_fix_timestamp_seconds\#(labels)} 1795158312"#,
        #"locwatch_latitude_degrees\#(labels)} 48.118633333"#,
        #"locwatch_longitude_degrees\#(labels)} 11.517333333"#,
        #"locwatch_altitude_meters\#(labels),kind="msl"} 545.4"#,
        #"locwatch_altitude_meters\#(labels),kind="hae"} 592.3"#,
        #"locwatch_speed_meters_per_second\#(labels)} 11.524"#,
        #"locwatch_track_degrees\#(labels)} 84.4"#,
        #"locwatch_accuracy_meters\#(labels),axis="horizontal"} 24.7"#,
        #"locwatch_accuracy_meters\#(labels),axis="east"} 14.1"#,
        #"locwatch_accuracy_meters\#(labels),axis="north"} 20.3"#,
        #"locwatch_accuracy_meters\#(labels),axis="vertical"} 48.3"#,
        #"locwatch_dop\#(labels),kind="horizontal"} 1.3"#,
        #"locwatch_fix_quality\#(labels),quality="gps"} 1"#,
        "locwatch_believed\(labels)} 1",
        #"locwatch_satellites_used\#(labels),gnss="GPS"} 1"#,
        #"locwatch_satellites_used\#(labels),gnss="GLONASS"} 0"#,
        #"locwatch_satellites_seen\#(labels),gnss="GPS"} 1"#,
        #"locwatch_satellites_seen\#(labels),gnss="GLONASS"} 1"#,
      ])
  }

  @Test mutating func `A fix that is doubted is not believed`() {
    var fix = Samples.fix
    fix.doubts = [.jump]
    _ = renderer.fix(fix)
    #expect(samples().last { $0.hasPrefix("locwatch_believed{") }?.hasSuffix("} 0") == true)
  }

  @Test func `The samples of the best of several have the name of the selected one`() {
    var renderer = PrometheusRenderer(source: "car")
    _ = renderer.state(Samples.fixed)
    _ = renderer.fix(Samples.fix)
    var records = TextBuffer()
    renderer.render(.change(Samples.selected), into: &records)
    #expect(samples(renderer.trailer).count > 20)
    #expect(samples(renderer.trailer).allSatisfy { $0.contains(#"{source="boat""#) })
  }

  @Test func `Corrections have a sample once they are reported`() {
    var renderer = PrometheusRenderer(source: "car")
    #expect(!renderer.trailer.contains("corrections"))
    _ = renderer.change(Samples.corrections)
    let sample = #"locwatch_corrections_connected{source="car"} "#
    #expect(renderer.trailer.contains(sample + "0\n"))
    let back = Corrections(.connected, of: "ntrip://h:1/M")
    _ = renderer.change(
      ReceiverChange(.corrections(back, previous: .lost), at: Samples.moment(nil)))
    #expect(renderer.trailer.contains(sample + "1\n"))
    #expect(!renderer.end().contains("corrections"))
    for code in [LocationError.Code.disconnected, .notRecorded] {
      _ = renderer.state(
        StateChange(.noService, error: LocationError(code), at: Samples.moment(nil)))
      #expect(renderer.trailer.contains("corrections") == (code == .disconnected))
    }
  }

  @Test(arguments: [Samples.lost, Samples.noService])
  func `A position that is not current has no samples`(change: StateChange) {
    var test = self
    _ = test.renderer.state(Samples.fixed)
    _ = test.renderer.fix(Samples.fix)
    _ = test.renderer.state(change)
    let names = ["latitude_degrees", "speed_meters_per_second", "dop", "fix_quality"]
    for name in names { #expect(test.samples(of: name) == []) }
    #expect(test.samples(of: "fix_timestamp_seconds") == ["{} 1795158312"])
    #expect(
      test.samples(of: "receiver_state").filter { $0.hasSuffix(" 1") }
        == ["{,state=\"\(change.state.rawValue)\"} 1"])
    #expect(test.samples(of: "up") == [change.subject == .link ? "{} 0" : "{} 1"])
  }

  @Test mutating func `A fix that is late changes nothing`() {
    var fix = Samples.fix
    fix.isCurrent = false
    _ = renderer.fix(fix)
    #expect(samples(of: "latitude_degrees") == [] && samples(of: "fix_timestamp_seconds") == [])
  }

  @Test mutating func `Times have no digits that the receiver did not report`() {
    _ = renderer.fix(Samples.position(1, 2, at: Samples.time(0, 0, milliseconds: 750)))
    let sample = samples(of: "fix_timestamp_seconds").first
    #expect(sample?.hasSuffix(".75") == true, "\(sample ?? "")")
  }

  @Test mutating func `The time of the last fix stays if the next fix has no time`() {
    _ = renderer.fix(Samples.fix)
    _ = renderer.fix(Samples.position(1, 2))
    #expect(samples(of: "latitude_degrees") == ["{} 1"])
    #expect(samples(of: "fix_timestamp_seconds") == ["{} 1795158312"])
    _ = renderer.fix(Samples.flat)
    #expect(samples(of: "fix_timestamp_seconds") == ["{} 1795158313"])
  }

  @Test mutating func `At the end of a run nothing is current`() {
    _ = renderer.fix(Samples.fix)
    let end = renderer.end()
    #expect(samples(of: "up", in: end) == ["{} 0"])
    #expect(samples(of: "latitude_degrees", in: end) == [])
    #expect(samples(of: "receiver_state", in: end) == [])
    #expect(samples(of: "fix_timestamp_seconds", in: end) == ["{} 1795158312"])
  }

  @Test mutating func `Before any receiver the link has a state`() {
    _ = renderer.state(Samples.noService)
    #expect(
      samples(of: "receiver_state").filter { $0.hasSuffix(" 1") } == [#"{,state="no-daemon"} 1"#])
  }

  @Test func `Text cannot break out of its label`() {
    var renderer = PrometheusRenderer(source: "a\"b\\c\nd")
    _ = renderer.state(Samples.noService)
    #expect(samples(renderer.trailer)[0] == #"locwatch_up{source="a\"b\\c\\u{a}d"} 0"#)
  }
}

extension Samples {
  static let fixed = StateChange(
    .fix3D, of: .receiver(device), previous: .searching, at: moment(time(5, 12)))
}
