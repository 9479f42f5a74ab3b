/// A report without a position.
public struct NoFix: Hashable, Sendable {
  /// The receiver's path; `nil` if the service names none.
  public var device: String?
  /// The receiver's time, which it may know before its position; `nil` if unknown.
  public var time: Timestamp?
  /// Whether the receiver states that it has no position.
  ///
  /// `false` for a report that merely contains no position: another report of the same epoch may contain one.
  package var isStated: Bool
  /// The state of the antenna; `nil` if the report has none.
  package var antenna: AntennaStatus?
  /// Whether the antenna has power; `nil` if the report does not say so.
  package var isAntennaPowered: Bool?
  /// The level of interference, 0 (none) to 255; `nil` if the report has none. A number outside this range is stored
  /// as `nil`.
  package var interference: Int? {
    get { interferenceLevel.map(Int.init) }
    set { interferenceLevel = newValue.within(.code).map(UInt8.init) }
  }

  private var interferenceLevel: UInt8?

  /// Creates a report that the receiver has no position.
  ///
  /// - Parameters:
  ///   - device: The receiver's path; `nil` if the service names none.
  ///   - time: The receiver's time; `nil` if unknown.
  public init(device: String? = nil, time: Timestamp? = nil) {
    self.init(device: device, time: time, isStated: true)
  }

  /// Creates a report without a position. An argument that is left out is unknown, and so is a level of interference
  /// outside 0 to 255.
  package init(
    device: String? = nil, time: Timestamp? = nil, isStated: Bool, antenna: AntennaStatus? = nil,
    isAntennaPowered: Bool? = nil, interference: Int? = nil
  ) {
    self.device = device
    self.time = time
    self.isStated = isStated
    self.antenna = antenna
    self.isAntennaPowered = isAntennaPowered
    self.interference = interference
  }
}

extension NoFix: CustomStringConvertible {
  /// A text for logs and test failures, such as
  /// `no fix at 2026-11-20T07:05:12.000Z of /dev/ttyACM0`, or `no fix yet` if it is not stated.
  /// Its format may change.
  public var description: String {
    let parts = [
      isStated ? "no fix" : "no fix yet", time.map { " at \($0)" }, device.map { " of \($0)" },
      antenna.map { ", antenna \($0)" },
      isAntennaPowered.map { ", antenna power \($0 ? "on" : "off")" },
      interference.map { ", jam \($0)" },
    ]
    return parts.compactMap(\.self).joined()
  }
}
