/// A satellite signal that a receiver tracks.
///
/// An impossible measured number, such as an elevation of 91° or a strength of -1 dBHz, is stored as `nil`. The
/// numbers that identify the satellite and its signal can have any value.
package struct Satellite: Hashable, Sendable {
  /// The satellite's number in gpsd's numbering, which covers all constellations.
  package var prn: Int
  /// The constellation, as numbered by u-blox: 0 GPS, 1 SBAS, 2 Galileo, 3 BeiDou, 4 IMES, 5 QZSS,
  /// 6 GLONASS, 7 NavIC. `nil` if unknown.
  package var gnssID: Int?
  /// The satellite's number within its constellation; `nil` if unknown.
  package var svID: Int?
  /// The signal within the constellation, as numbered by u-blox; `nil` if unknown. See
  /// ``signalName``.
  package var sigID: Int?
  /// The elevation above the horizon, in degrees, -90 to 90; `nil` if unknown.
  package var elevation: Double? { didSet { elevation = elevation.within(.elevation) } }
  /// The azimuth from true north, in degrees, 0 to 360; `nil` if unknown.
  package var azimuth: Double? { didSet { azimuth = azimuth.within(.azimuth) } }
  /// The signal strength (carrier-to-noise density), in dBHz, 0 to 254; `nil` if unknown.
  package var signalStrength: Double? {
    didSet { signalStrength = signalStrength.within(.signalStrength) }
  }
  /// Whether the signal was used to compute the position.
  package var isUsed: Bool
  /// The satellite's health: 1 healthy, 2 unhealthy, 0 or `nil` unknown.
  package var health: Int? { didSet { health = health.within(.health) } }
  /// The number of a GLONASS satellite's frequency, 0 to 13; `nil` if unknown.
  package var freqID: Int? { didSet { freqID = freqID.within(.frequencyNumber) } }
  /// How well the signal is tracked, as numbered by u-blox: 0 no signal, 1 searching, 2 acquired,
  /// 3 detected but unusable, 4 code locked, 5 to 7 code and carrier locked. `nil` if unknown.
  package var trackingQuality: Int? {
    didSet { trackingQuality = trackingQuality.within(.trackingQuality) }
  }
  /// The pseudorange, in metres; `nil` if unknown.
  package var pseudorange: Double? { didSet { pseudorange = pseudorange.within(.signed) } }
  /// The rate at which the pseudorange changes, in metres per second; `nil` if unknown.
  package var pseudorangeRate: Double? {
    didSet { pseudorangeRate = pseudorangeRate.within(.signed) }
  }
  /// The difference between the pseudorange and the range from the computed position, in metres; `nil` if unknown.
  package var pseudorangeResidual: Double? {
    didSet { pseudorangeResidual = pseudorangeResidual.within(.signed) }
  }

  /// Creates a satellite signal. Arguments that are left out are unknown, and so are impossible ones.
  ///
  /// Angles are in degrees, the signal strength is in dBHz, the pseudorange and its residual are in metres, and its
  /// rate is in metres per second.
  package init(
    prn: Int, gnssID: Int? = nil, svID: Int? = nil, sigID: Int? = nil, elevation: Double? = nil,
    azimuth: Double? = nil, signalStrength: Double? = nil, isUsed: Bool = false,
    health: Int? = nil, freqID: Int? = nil, trackingQuality: Int? = nil,
    pseudorange: Double? = nil, pseudorangeRate: Double? = nil, pseudorangeResidual: Double? = nil
  ) {
    self.prn = prn
    self.gnssID = gnssID
    self.svID = svID
    self.sigID = sigID
    self.elevation = elevation.within(.elevation)
    self.azimuth = azimuth.within(.azimuth)
    self.signalStrength = signalStrength.within(.signalStrength)
    self.isUsed = isUsed
    self.health = health.within(.health)
    self.freqID = freqID.within(.frequencyNumber)
    self.trackingQuality = trackingQuality.within(.trackingQuality)
    self.pseudorange = pseudorange.within(.signed)
    self.pseudorangeRate = pseudorangeRate.within(.signed)
    self.pseudorangeResidual = pseudorangeResidual.within(.signed)
  }
}

extension Satellite: CustomStringConvertible {
  /// A text for logs and test failures, such as
  /// `satellite 5, used, 38.0 dBHz, elevation 45.0, azimuth 120.0, gnssID 0, svID 5`. Its format
  /// may change.
  package var description: String {
    let parts = [
      "satellite \(prn)", isUsed ? "used" : nil, signalStrength.map { "\($0) dBHz" },
      elevation.map { "elevation \($0)" }, azimuth.map { "azimuth \($0)" },
      gnssID.map { "gnssID \($0)" }, svID.map { "svID \($0)" }, sigID.map { "sigID \($0)" },
      health.map { "health \($0)" }, freqID.map { "freqID \($0)" },
      trackingQuality.map { "trackingQuality \($0)" }, pseudorange.map { "pseudorange \($0)" },
      pseudorangeRate.map { "pseudorangeRate \($0)" },
      pseudorangeResidual.map { "pseudorangeResidual \($0)" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension Satellite {
  /// The identity of the satellite, which is the same for all of its signals.
  package var id: SatelliteID { SatelliteID(prn: prn, gnssID: gnssID, svID: svID) }

  /// The name of the signal, such as `L1 C/A` or `E5a Q`; its number if this version knows no name for it, and `nil`
  /// if the signal is unknown.
  package var signalName: String? {
    sigID.map { sigID in
      gnssID.flatMap { Self.signalNames[$0]?[sigID] } ?? String(sigID)
    }
  }

  /// The names of signals, by constellation and signal as numbered by u-blox.
  private static let signalNames: [Int: [Int: String]] = [
    0: [0: "L1 C/A", 3: "L2 CL", 4: "L2 CM", 6: "L5 I", 7: "L5 Q"],
    1: [0: "L1 C/A"],
    2: [
      0: "E1 C", 1: "E1 B", 3: "E5a I", 4: "E5a Q", 5: "E5b I", 6: "E5b Q", 8: "E6 B", 9: "E6 C",
      10: "E6 A",
    ],
    3: [
      0: "B1I D1", 1: "B1I D2", 2: "B2I D1", 3: "B2I D2", 4: "B3I D1", 5: "B1C p", 6: "B1C d",
      7: "B2a p", 8: "B2a d", 10: "B3I D2",
    ],
    5: [0: "L1 C/A", 1: "L1S", 4: "L2 CM", 5: "L2 CL", 8: "L5 I", 9: "L5 Q", 12: "L1 C/B"],
    6: [0: "L1 OF", 2: "L2 OF"],
    7: [0: "L5 A"],
  ]
}
