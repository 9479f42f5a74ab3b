/// The satellites over a receiver, and how well they are spread.
public struct SkyView: Hashable, Sendable {
  /// The receiver's path; empty where gpsd names none.
  public var device: String
  /// The instant of the view by the receiver's clock; `nil` where the report does not tell.
  public var time: Timestamp?
  /// `nil` where the report carried no list, which says nothing about how many there are.
  public var satellites: [Satellite]?
  /// How many satellites are in view; `nil` where the report does not tell.
  public var seen: Int?
  /// How many satellites the position is computed from; `nil` where the report does not tell.
  public var used: Int?
  /// Horizontal dilution of precision, without a unit; `nil` where the report does not tell.
  public var hdop: Double?
  /// Vertical dilution of precision, without a unit; `nil` where the report does not tell.
  public var vdop: Double?
  /// Position (3D) dilution of precision, without a unit; `nil` where the report does not tell.
  public var pdop: Double?

  /// A view of which only so much is known; `nil` stands for the rest. Where there is a list and no
  /// count, ``seen`` and ``used`` are counted from it.
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
