import Foundation
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

  /// The contrast of a colour with black and with white, as WCAG 2 defines it.
  private func contrasts(of rgb: UInt32) -> (black: Double, white: Double) {
    func linear(_ shift: UInt32) -> Double {
      let part = Double((rgb >> shift) & 0xff) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    let luminance = 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
    return ((luminance + 0.05) / 0.05, 1.05 / (luminance + 0.05))
  }

  @Test("each colour is legible on a dark terminal, and that of GPS on a light one as well")
  func contrast() {
    for system in Constellation.allCases {
      guard let color = system.color else { continue }
      #expect(contrasts(of: color).black >= 5, "\(system)")
    }
    #expect(contrasts(of: 0x0087FF).white >= 3.5 && Constellation.gps.color == 0x0087FF)
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
