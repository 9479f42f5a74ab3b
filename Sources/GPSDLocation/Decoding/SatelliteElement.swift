internal import LocationCore

/// What is read of an element of a sky view's list: all of it, or what is counted.
protocol SatelliteElement: JSONRecord {
  /// Whether gpsd says which satellite it is.
  var isIdentified: Bool { get }
  /// Whether the position is computed from it.
  var isUsed: Bool { get }
  /// In dBHz; `nil` where it is not known.
  var signalStrength: Double? { get }

  init()

  /// Appends the satellite, where it was read.
  func append(to list: inout [Satellite])
}

extension SatelliteElement {
  /// The report, its list and the element itself.
  static var depth: Int { 3 }
}
