public import LocationCore

/// The satellites over a receiver: gpsd's sky view report.
public struct SKY: Hashable, Sendable {
  /// The receiver's path on gpsd's machine.
  public var device: String?
  /// The instant of the report by the receiver's clock.
  public var time: Timestamp?
  /// The signals, at most 184. `nil` where the report carries no list, which says nothing about
  /// how many there are.
  public var satellites: [Satellite]? {
    get { hasList ? list : nil }
    set {
      hasList = newValue != nil
      list = newValue ?? []
    }
  }

  // The list stays when it is emptied, and so does its memory.
  var list: [Satellite] = []
  var hasList = false
  var quantities = Quantities<16>()

  /// A sky view that tells nothing.
  public init() {}

  /// How many satellites are in view.
  public var nSat: Int? { self[.nSat].flatMap { Int(exactly: $0) } }

  /// How many satellites the position is computed from.
  public var uSat: Int? { self[.uSat].flatMap { Int(exactly: $0) } }

  /// Horizontal dilution of precision, without a unit.
  public var hdop: Double? { self[.hdop] }

  /// Vertical dilution of precision, without a unit.
  public var vdop: Double? { self[.vdop] }

  /// Position (3D) dilution of precision, without a unit.
  public var pdop: Double? { self[.pdop] }

  /// Time dilution of precision, without a unit.
  public var tdop: Double? { self[.tdop] }

  /// Geometric dilution of precision, of place and time, without a unit.
  public var gdop: Double? { self[.gdop] }

  /// Dilution of precision along the longitude, without a unit.
  public var xdop: Double? { self[.xdop] }

  /// Dilution of precision along the latitude, without a unit.
  public var ydop: Double? { self[.ydop] }

  package subscript(field: Field) -> Double? {
    get { quantities[field.rawValue] }
    set { quantities[field.rawValue] = newValue }
  }
}
