/// A satellite system that the receiver uses.
package enum SatelliteSystem: String, CaseIterable, Sendable {
  // The raw values are NMEA's names of the talkers.
  case gps = "GP"
  case glonass = "GL"
  case galileo = "GA"
}

/// One satellite as the receiver sees it.
package struct SimulatedSatellite: Hashable, Sendable {
  /// The number that NMEA has for it; 1 to 32 are GPS.
  package var number: Int
  /// Degrees above the horizon.
  package var elevation: Int
  /// Degrees clockwise from true north.
  package var azimuth: Int
  /// Carrier to noise density in dB-Hz; `nil` where the satellite is in view and not received.
  package var signal: Int?
  package var isUsed: Bool
  package var system = SatelliteSystem.gps

  /// The first `inView` satellites of a sky of thirteen, the first `used` of them used.
  static func sky(inView: Int, used: Int) -> [SimulatedSatellite] {
    thirteen.prefix(inView).enumerated().map { index, satellite in
      var satellite = satellite
      satellite.isUsed = index < used
      return satellite
    }
  }

  private static let thirteen = [
    (5, 74, 201, 46), (13, 61, 88, 44), (15, 48, 295, 43), (20, 41, 130, 41), (24, 37, 255, 40),
    (29, 33, 43, 38), (2, 27, 318, 36), (12, 22, 171, 33), (18, 17, 70, 30), (25, 12, 229, 26),
    (30, 9, 12, 22), (7, 6, 340, nil), (10, 3, 104, nil),
  ].map { number, elevation, azimuth, signal in
    SimulatedSatellite(
      number: number, elevation: elevation, azimuth: azimuth, signal: signal, isUsed: false)
  }
}
