/// A satellite signal that a receiver tracks.
public struct Satellite: Hashable, Sendable, Codable {
  /// The satellite's number in gpsd's numbering, which covers all constellations.
  public var prn: Int
  /// The constellation, as numbered by u-blox: 0 GPS, 1 SBAS, 2 Galileo, 3 BeiDou, 4 IMES, 5 QZSS,
  /// 6 GLONASS, 7 NavIC. `nil` if unknown.
  public var gnssID: Int?
  /// The satellite's number within its constellation; `nil` if unknown.
  public var svID: Int?
  /// The signal within the constellation, as numbered by u-blox; `nil` if unknown. See
  /// ``signalName``.
  public var sigID: Int?
  /// The elevation above the horizon, in degrees, -90 to 90; `nil` if unknown.
  public var elevation: Double?
  /// The azimuth from true north, in degrees, 0 to 360; `nil` if unknown.
  public var azimuth: Double?
  /// The signal strength (carrier-to-noise density), in dBHz; `nil` if unknown.
  public var signalStrength: Double?
  /// Whether the signal was used to compute the position.
  public var isUsed: Bool
  /// The satellite's health: 1 healthy, 2 unhealthy, 0 or `nil` unknown.
  public var health: Int?
  /// The number of a GLONASS satellite's frequency, 0 to 13; `nil` if unknown.
  public var freqID: Int?
  /// How well the signal is tracked, as numbered by u-blox: 0 no signal, 1 searching, 2 acquired,
  /// 3 detected but unusable, 4 code locked, 5 to 7 code and carrier locked. `nil` if unknown.
  public var trackingQuality: Int?
  /// The pseudorange, in metres; `nil` if unknown.
  public var pseudorange: Double?
  /// The rate at which the pseudorange changes, in metres per second; `nil` if unknown.
  public var pseudorangeRate: Double?
  /// By how much the pseudorange differs from that of the computed position, in metres; `nil` if
  /// unknown.
  public var pseudorangeResidual: Double?

  /// Creates a satellite signal. Values that are left out are unknown.
  public init(
    prn: Int, gnssID: Int? = nil, svID: Int? = nil, sigID: Int? = nil, elevation: Double? = nil,
    azimuth: Double? = nil, signalStrength: Double? = nil, isUsed: Bool = false,
    health: Int? = nil, freqID: Int? = nil, trackingQuality: Int? = nil,
    pseudorange: Double? = nil, pseudorangeRate: Double? = nil, pseudorangeResidual: Double? = nil
  ) {
    self.prn = prn
    self.gnssID = gnssID
    self.svID = svID
    self.sigID = sigID
    self.elevation = elevation
    self.azimuth = azimuth
    self.signalStrength = signalStrength
    self.isUsed = isUsed
    self.health = health
    self.freqID = freqID
    self.trackingQuality = trackingQuality
    self.pseudorange = pseudorange
    self.pseudorangeRate = pseudorangeRate
    self.pseudorangeResidual = pseudorangeResidual
  }

  /// The names of gpsd_json(5).
  private enum CodingKeys: String, CodingKey {
    case prn = "PRN"
    case gnssID = "gnssid"
    case svID = "svid"
    case sigID = "sigid"
    case elevation = "el"
    case azimuth = "az"
    case signalStrength = "ss"
    case isUsed = "used"
    case health
    case freqID = "freqid"
    case trackingQuality = "qual"
    case pseudorange = "pr"
    case pseudorangeRate = "prRate"
    case pseudorangeResidual = "prRes"
  }
}

extension Satellite: CustomStringConvertible {
  /// A text for logs and test failures, such as
  /// `satellite 5, used, 38.0 dBHz, elevation 45.0, azimuth 120.0, gnssID 0, svID 5`. Its format
  /// may change.
  public var description: String {
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
