import Foundation
import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats

@Suite struct GeoJSONRendererTests {
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
