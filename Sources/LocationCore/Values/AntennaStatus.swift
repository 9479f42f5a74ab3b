/// The state of a receiver's antenna.
///
/// Later versions may add states: a `switch` needs a `default`.
public struct AntennaStatus: Hashable, Sendable {
  /// The number of the state on gpsd's wire.
  package var rawValue: UInt8

  /// Creates a state from its number on gpsd's wire.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The antenna works. gpsd up to 3.27.5 does not report this state: a change to it means that gpsd no longer
  /// reports a fault.
  public static let ok = AntennaStatus(rawValue: 1)
  /// There is no antenna, or its cable is broken.
  public static let open = AntennaStatus(rawValue: 2)
  /// The antenna or its cable has a short circuit.
  public static let short = AntennaStatus(rawValue: 3)

  /// Creates a state from its number; `nil` if it is unknown.
  package init?(number: Int) {
    guard 1...3 ~= number else { return nil }
    self.init(rawValue: UInt8(number))
  }

  /// The name, as locwatch writes it, such as `open`; the number if it has none.
  package var name: String {
    switch self {
    case .ok: "ok"
    case .open: "open"
    case .short: "short"
    default: String(rawValue)
    }
  }
}

extension AntennaStatus: CustomStringConvertible {
  /// The name, such as `open`.
  public var description: String { name }
}
