import Foundation
import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats

@Suite struct GeoJSONRendererTests {
  @Test func `GeoJSON is a collection of points`() {
    var renderer = GeoJSONRenderer()
    #expect(renderer.begin() == #"{"type":"FeatureCollection","features":["#)
    #expect(
      renderer.fix(Samples.fix)
        == "\n"
        + #"{"type":"Feature","geometry":{"type":"Point","coordinates":[11.517333333,48.118633333,592.3]},"properties":{"type":"fix","device":"/dev/ttyACM0","time":"2026-11-20T07:05:12.000Z","received":"2026-11-20T07:05:12.310Z","age":0.31,"mode":3,"fix":"3d","altMSL":545.4,"altHAE":592.3,"geoidSep":46.9,"speed":11.524,"track":84.4,"climb":0.02,"accuracy":24.7,"epx":14.1,"epy":20.3,"epv":48.3,"satsUsed":8,"satsSeen":12,"hdop":1.3}}"#
    )
    #expect(renderer.state(Samples.lost) == "")
    #expect(
      renderer.fix(Samples.flat)
        == ",\n"
        + #"{"type":"Feature","geometry":{"type":"Point","coordinates":[-71.0,-0.5]},"properties":{"type":"fix","device":"/dev/ttyACM0","time":"2026-11-20T07:05:13.000Z","mode":2,"fix":"2d"}}"#
    )
    #expect(renderer.end() == "\n]}\n")
  }

  @Test func `A simulated position is marked`() {
    var fix = Samples.flat
    fix.quality = .simulated
    var renderer = GeoJSONRenderer()
    #expect(renderer.fix(fix).contains(#""fix":"2d","quality":"simulated""#))
  }

  @Test func `A GeoJSON document is valid after every record`() throws {
    var renderer = GeoJSONRenderer()
    var document = renderer.begin()
    for count in 0..<4 {
      let object = try JSONSerialization.jsonObject(
        with: Data((document + renderer.trailer).utf8))
      let collection = try #require(object as? [String: Any])
      #expect((collection["features"] as? [Any])?.count == count)
      document += renderer.fix(Samples.position(1, 2, device: Samples.hostile))
    }
  }
}
