/// How a position was computed.
///
/// Later versions may add qualities: a `switch` needs a `default`.
public struct FixQuality: Hashable, Sendable {
  /// The number of the quality in gpsd_json(5).
  package var rawValue: UInt8

  /// Creates a quality from its number in gpsd_json(5).
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// From satellites only. gpsd does not report this quality, so the quality of most fixes is unknown.
  public static let gps = FixQuality(rawValue: 1)
  /// With differential corrections.
  public static let dgps = FixQuality(rawValue: 2)
  /// From the phase of the carrier (RTK), with integer ambiguities: to centimetres.
  public static let rtkFixed = FixQuality(rawValue: 3)
  /// From the phase of the carrier (RTK), with floating ambiguities: to decimetres.
  public static let rtkFloat = FixQuality(rawValue: 4)
  /// Dead reckoning, without satellites.
  public static let deadReckoning = FixQuality(rawValue: 5)
  /// From satellites and dead reckoning together: the ordinary state of a car's receiver.
  public static let gnssDeadReckoning = FixQuality(rawValue: 6)
  /// From a surveyed position: the receiver computes only the time.
  public static let timeOnly = FixQuality(rawValue: 7)
  /// Simulated: the position is not that of the receiver.
  public static let simulated = FixQuality(rawValue: 8)
  /// From the encrypted P(Y) code.
  public static let pCode = FixQuality(rawValue: 9)

  /// The qualities with a name, in the order of their numbers.
  package static let all: [FixQuality] = [
    .gps, .dgps, .rtkFixed, .rtkFloat, .deadReckoning, .gnssDeadReckoning, .timeOnly, .simulated,
    .pCode,
  ]

  /// The qualities that a filter can ask for, from the weakest to the best.
  package static let ranked: [FixQuality] = [.gps, .dgps, .rtkFloat, .rtkFixed]

  /// The name, as locwatch writes it, such as `rtk-fixed`; the number if it has none.
  package var name: String {
    switch self {
    case .gps: "gps"
    case .dgps: "dgps"
    case .rtkFixed: "rtk-fixed"
    case .rtkFloat: "rtk-float"
    case .deadReckoning: "dr"
    case .gnssDeadReckoning: "gnss-dr"
    case .timeOnly: "time-only"
    case .simulated: "simulated"
    case .pCode: "py"
    default: String(rawValue)
    }
  }

  /// Creates a quality from its ``name``; `nil` if no quality has it.
  package init?(name: String) {
    guard let quality = Self.all.first(where: { $0.name == name }) else { return nil }
    self = quality
  }

  /// Returns whether a fix of this quality is at least as good as `minimum`.
  ///
  /// The order is ``gps``, ``dgps``, ``rtkFloat``, ``rtkFixed``; ``gnssDeadReckoning`` is as good as ``gps``. A
  /// quality outside of this order is only at least as good as itself.
  package func isAtLeast(_ minimum: FixQuality) -> Bool {
    guard let rank, let least = minimum.rank else { return self == minimum }
    return rank >= least
  }

  /// The place in ``ranked``; `nil` for a quality outside of the order.
  package var rank: Int? {
    Self.ranked.firstIndex(of: self == .gnssDeadReckoning ? .gps : self)
  }

  /// Whether the position is computed from the satellites of the moment. It is not in dead reckoning,
  /// nor if it is surveyed or simulated.
  package var isMeasured: Bool {
    ![.deadReckoning, .timeOnly, .simulated].contains(self)
  }
}

extension FixQuality: CustomStringConvertible {
  /// The name, as locwatch writes it, such as `rtk-fixed`.
  public var description: String { name }
}

/// The dimensions of a position. The raw values are those of gpsd's `mode`.
public enum FixMode: UInt8, Hashable, Comparable, Sendable, CaseIterable {
  /// Latitude and longitude.
  case fix2D = 2
  /// Latitude, longitude and height.
  case fix3D = 3

  /// Returns whether `lhs` has fewer dimensions than `rhs`.
  @inlinable
  public static func < (lhs: FixMode, rhs: FixMode) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension FixMode: CustomStringConvertible {
  /// `2D` or `3D`.
  public var description: String { self == .fix3D ? "3D" : "2D" }
}
