/// A receiver that a location service has opened or could open.
public struct Receiver: Hashable, Sendable {
  /// Where the service's machine has it, such as `/dev/ttyACM0`.
  public var path: String
  /// The kind of receiver, as far as it was recognised: `NMEA0183`, `u-blox`.
  public var driver: String?
  /// What the receiver says of itself: firmware, model.
  public var subtype: String?
  /// Bits per second on the serial line.
  public var bitsPerSecond: Int?
  /// How often the receiver reports.
  public var cycle: Duration?
  /// Whether the service has it open.
  public var isActive: Bool

  public init(
    path: String, driver: String? = nil, subtype: String? = nil, bitsPerSecond: Int? = nil,
    cycle: Duration? = nil, isActive: Bool = true
  ) {
    self.path = path
    self.driver = driver
    self.subtype = subtype
    self.bitsPerSecond = bitsPerSecond
    self.cycle = cycle
    self.isActive = isActive
  }
}
