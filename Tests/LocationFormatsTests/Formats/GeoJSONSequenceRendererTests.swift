import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats

@Suite struct GeoJSONSequenceRendererTests {
  var renderer = GeoJSONSequenceRenderer(source: "boat")

  @Test mutating func `Each record is a separator, a Feature and a line end`() {
    #expect(renderer.begin() == "")
    #expect(
      renderer.fix(Samples.flat)
        == "\u{1e}"
        + #"{"type":"Feature","geometry":{"type":"Point","coordinates":[-71.0,-0.5]},"properties":"#
        + #"{"type":"fix","source":"boat","device":"/dev/ttyACM0","time":"2026-11-20T07:05:13.000Z","#
        + #""mode":2,"fix":"2d"}}"# + "\n")
    #expect(renderer.end() == "")
  }

  @Test mutating func `A loss is a Feature without a geometry`() {
    #expect(renderer.state(Samples.lost) == "")
    _ = renderer.fix(Samples.flat)
    #expect(
      renderer.state(Samples.lost)
        == "\u{1e}"
        + #"{"type":"Feature","geometry":null,"properties":{"type":"state","source":"boat","#
        + #""device":"/dev/ttyACM0","time":"2026-11-20T07:06:31.090Z","state":"lost","#
        + #""reason":"silence"}}"# + "\n")
  }
}
