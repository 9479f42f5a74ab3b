public import LocationCore

/// Where a receiver is, when, and how it moves: gpsd's time-position-velocity report.
///
/// The names are those of gpsd_json(5). What the report does not give is `nil`, and so is what
/// cannot be: a number that is not finite, a latitude of 91. `alt` is left out, as it is undefined
/// by definition.
public struct TPV: Hashable, Sendable {
  /// The receiver's path on gpsd's machine, such as `/dev/ttyACM0`.
  public var device: String?
  /// The instant of the report by the receiver's clock.
  public var time: Timestamp?
  /// The map datum, such as `WGS84`.
  public var datum: String?

  var quantities = Quantities<64>()

  /// A report that tells nothing.
  public init() {}

  /// What kind of position it is; `FixMode.unknown` also where gpsd sends a mode that is none.
  public var mode: FixMode {
    self[.mode].flatMap { UInt8(exactly: $0) }.flatMap(FixMode.init) ?? .unknown
  }

  /// How the position was computed: 1 plain, 2 DGPS, 3 RTK fixed, 4 RTK floating, 5 dead reckoning,
  /// 6 satellites and dead reckoning, 7 time only, 8 simulated, 9 P(Y). Most reports do not tell.
  public var status: Int? { self[.status].flatMap { Int(exactly: $0) } }

  package subscript(field: Field) -> Double? {
    get { quantities[field.rawValue] }
    set { quantities[field.rawValue] = newValue }
  }
}
