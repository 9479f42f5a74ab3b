import LocationCore
import Testing

@testable import LocationText

@Suite("Sky")
struct SkyTests {
  @Test("a satellite without a gnssid belongs to the system of its PRN")
  func constellationByNumber() {
    let numbers = [1, 32, 33, 65, 96, 131, 194, 301, 402, 500]
    let letters = numbers.map { Constellation(of: Satellite(prn: $0))?.letter }
    #expect(letters == ["G", "G", "S", "R", "R", "S", "J", "E", "C", nil])
  }

  @Test("a gnssid decides, whatever the PRN")
  func constellationByGNSSID() {
    let letters = (0...8).map { Constellation(of: Satellite(prn: 1, gnssID: $0))?.letter }
    #expect(letters == ["G", "S", "E", "C", "-", "J", "R", "I", nil])
  }

  @Test(
    "north is up and east on the right, and the distance from the zenith is linear",
    arguments: [
      (90.0, 123.0, 0.0, 0.0), (0.0, 0.0, 0.0, -1.0), (0.0, 90.0, 1.0, 0.0),
      (45.0, 180.0, 0.0, 0.5),
      (60.0, 270.0, -1.0 / 3, 0.0),
    ])
  func position(elevation: Double, azimuth: Double, x: Double, y: Double) throws {
    let position = try #require(SkyPosition(elevation: elevation, azimuth: azimuth))
    #expect(abs(position.x - x) < 1e-12)
    #expect(abs(position.y - y) < 1e-12)
  }

  @Test("a satellite below the horizon, or without angles, is not placed")
  func noPosition() {
    #expect(SkyPosition(elevation: -1, azimuth: 10) == nil)
    #expect(SkyPosition(elevation: nil, azimuth: 10) == nil)
    #expect(SkyPosition(elevation: 10, azimuth: nil) == nil)
  }
}
