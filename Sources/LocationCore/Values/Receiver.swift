/// A receiver that a location service has opened or could open.
public struct Receiver: Hashable, Sendable {
  /// Where the service's machine has it, such as `/dev/ttyACM0`.
  public var path: String
  /// The kind of receiver: `NMEA0183`, `u-blox`. `nil` until it is recognised.
  public var driver: String?
  /// What the receiver says of itself: firmware, model. `nil` where it says nothing.
  public var subtype: String?
  /// Bits per second on the serial line; `nil` where that is not known, or there is none.
  public var bitsPerSecond: Int?
  /// How far its reports are apart; `nil` where that is not known.
  public var cycle: Duration?
  /// Whether the service has it open.
  public var isActive: Bool

  /// A receiver of which only so much is known; `nil` stands for the rest.
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
