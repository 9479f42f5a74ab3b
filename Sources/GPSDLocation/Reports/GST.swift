public import LocationCore

/// How noisy a receiver's ranges are: gpsd's pseudorange noise report.
public struct GST: Hashable, Sendable {
  /// The receiver's path on gpsd's machine.
  public var device: String?
  /// The instant of the report by the receiver's clock.
  public var time: Timestamp?

  var quantities = Quantities<10>()

  /// A noise report that tells nothing.
  public init() {}

  /// Standard deviation of the ranges that the position is computed from, in metres.
  public var rms: Double? { self[.rms] }

  /// Standard deviation of the error ellipse's semi-major axis, in metres.
  public var major: Double? { self[.major] }

  /// Standard deviation of the error ellipse's semi-minor axis, in metres.
  public var minor: Double? { self[.minor] }

  /// Orientation of the semi-major axis, in degrees from true north.
  public var orient: Double? { self[.orient] }

  /// Standard deviation of the latitude, in metres. It is no position.
  public var lat: Double? { self[.lat] }

  /// Standard deviation of the longitude, in metres. It is no position.
  public var lon: Double? { self[.lon] }

  /// Standard deviation of the height, in metres.
  public var alt: Double? { self[.alt] }

  package subscript(field: Field) -> Double? {
    get { quantities[field.rawValue] }
    set { quantities[field.rawValue] = newValue }
  }
}
