/// The satellites over a receiver, and how well they are spread.
public struct SkyView: Hashable, Sendable {
  /// The receiver's path; empty where gpsd names none.
  public var device: String
  public var time: Timestamp?
  /// `nil` where the report carried no list, which says nothing about how many there are.
  public var satellites: [Satellite]?
  /// How many satellites are in view; `nil` where the report does not tell.
  public var seen: Int?
  /// How many satellites the position is computed from; `nil` where the report does not tell.
  public var used: Int?
  /// Horizontal, vertical and position dilution of precision, without a unit.
  public var hdop: Double?
  public var vdop: Double?
  public var pdop: Double?

  public init(
    device: String = "", time: Timestamp? = nil, satellites: [Satellite]? = nil,
    seen: Int? = nil, used: Int? = nil, hdop: Double? = nil, vdop: Double? = nil,
    pdop: Double? = nil
  ) {
    self.device = device
    self.time = time
    self.satellites = satellites
    self.seen = seen ?? satellites?.count
    self.used = used ?? satellites?.count { $0.isUsed }
    self.hdop = hdop
    self.vdop = vdop
    self.pdop = pdop
  }
}
