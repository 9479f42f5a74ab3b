import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats
@testable import LocationText

@Suite struct PrometheusRendererTests {
  var renderer = PrometheusRenderer(source: "boat")

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

  @Test mutating func `Times have no digits that the receiver did not report`() {
    _ = renderer.fix(Samples.position(1, 2, at: Samples.time(0, 0, milliseconds: 750)))
    #expect(
      renderer.trailer.contains(
        "locwatch_fix_timestamp_seconds{source=\"boat\",device=\"/dev/ttyACM0\"} 1795158000.75\n"))
  }

  @Test func `Text cannot break out of its label`() {
    var renderer = PrometheusRenderer(source: "a\"b\\c\nd")
    _ = renderer.state(Samples.noService)
    #expect(renderer.trailer.contains(#"locwatch_up{source="a\"b\\c\\u{a}d"} 0"#))
  }
}
