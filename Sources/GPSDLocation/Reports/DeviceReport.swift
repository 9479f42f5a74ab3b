public import LocationCore

/// A receiver that gpsd knows: its `DEVICE` report, and an element of `DEVICES`.
public struct DeviceReport: Hashable, Sendable {
  /// Whether gpsd has the receiver open.
  public enum Activation: Hashable, Sendable {
    /// Opened at that time by the clock of gpsd's machine.
    case opened(at: Timestamp)
    /// Closed or removed: `"activated":0`.
    case closed
  }

  /// Where gpsd's machine has it, such as `/dev/ttyACM0`; empty where gpsd names none.
  public var path = ""
  /// `nil` where gpsd does not say: it has never opened the receiver.
  public var activated: Activation?
  /// What kinds of packets came: 1 GPS, 2 RTCM2, 4 RTCM3, 8 AIS, added up.
  public var flags: Int?
  /// gpsd's name for the kind of receiver, such as `u-blox`.
  public var driver: String?
  /// What the receiver says of itself, often its hardware.
  public var subtype: String?
  /// What else it says of itself, often its firmware.
  public var subtype1: String?
  /// Its serial number.
  public var sernum: String?
  /// 0 for NMEA, 1 for the receiver's own binary protocol.
  public var native: Int?
  /// Bits per second on the serial line.
  public var bps: Int?
  /// `N`, `O` or `E`: no, odd or even parity.
  public var parity: String?
  /// Stop bits, 1 or 2.
  public var stopbits: Int?
  /// How often the receiver reports, in seconds.
  public var cycle: Double?
  /// The shortest ``cycle`` that it can be told, in seconds.
  public var mincycle: Double?
  /// Whether gpsd may not write to it.
  public var readonly: Bool?

  /// A receiver of which nothing is known but where it is.
  public init(path: String = "") { self.path = path }
}
