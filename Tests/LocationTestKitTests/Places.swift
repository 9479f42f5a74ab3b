import LocationCore

/// Places and errors that tests name.
enum Places {
  static let sydney = LocationFix(
    coordinate: Coordinate(latitude: -33.85, longitude: 151.21)!, mode: .fix3D)
  static let zurich = LocationFix(
    coordinate: Coordinate(latitude: 47.37, longitude: 8.54)!, mode: .fix2D)
  static let gone = LocationError(.disconnected, "the connection ended")
}
