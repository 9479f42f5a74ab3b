/// A receiver of a location service.
public struct Receiver: Hashable, Sendable {
  /// The receiver's path on the service's machine, such as `/dev/ttyACM0`.
  public var path: String
  /// The driver, such as `NMEA0183` or `u-blox`; `nil` until the receiver is identified.
  package var driver: String?
  /// The receiver's model and firmware, as it reports them; `nil` if unknown.
  package var subtype: String?
  /// The speed of the serial line, in bits per second; `nil` if unknown or not a serial line.
  package var bitsPerSecond: Int?
  /// The time between two reports; `nil` if unknown.
  package var cycle: Duration?
  /// Whether the service has opened the receiver.
  package var isActive: Bool

  /// Creates a receiver. A property that is left out is unknown. `bitsPerSecond` is the speed of its serial line.
  package init(
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

extension Receiver: CustomStringConvertible {
  /// A text for logs and test failures, such as
  /// `/dev/ttyACM0, u-blox, M8030, 9600 bps, every 1.0 seconds`. Its format may change.
  public var description: String {
    let parts = [
      path.isEmpty ? "unnamed" : path, isActive ? nil : "not open", driver, subtype,
      bitsPerSecond.map { "\($0) bps" }, cycle.map { "every \($0)" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}
