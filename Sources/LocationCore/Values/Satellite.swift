/// One satellite signal, as a receiver sees it.
public struct Satellite: Hashable, Sendable {
  /// The number that gpsd gives the satellite, whatever its constellation.
  public var prn: Int
  /// The constellation, as u-blox numbers it: 0 GPS, 1 SBAS, 2 Galileo, 3 BeiDou, 4 IMES, 5 QZSS,
  /// 6 GLONASS, 7 NavIC. `nil` where the receiver does not say.
  public var gnssID: Int?
  /// The satellite's number within its constellation; `nil` where the receiver does not say.
  public var svID: Int?
  /// The signal, as u-blox numbers it within the constellation; `nil` where the receiver does not
  /// say.
  public var sigID: Int?
  /// Degrees above the horizon, -90 to 90; `nil` where the receiver does not know.
  public var elevation: Double?
  /// Degrees from true north, 0 to 360; `nil` where the receiver does not know.
  public var azimuth: Double?
  /// Signal strength, as carrier to noise density in dBHz; `nil` where the receiver does not know.
  public var signalStrength: Double?
  /// Whether the position was computed from it.
  public var isUsed: Bool
  /// 1 healthy, 2 unhealthy; 0 or `nil` unknown.
  public var health: Int?

  /// A signal of which only so much is known; `nil` stands for the rest.
  public init(
    prn: Int, gnssID: Int? = nil, svID: Int? = nil, sigID: Int? = nil, elevation: Double? = nil,
    azimuth: Double? = nil, signalStrength: Double? = nil, isUsed: Bool = false,
    health: Int? = nil
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
  }
}
