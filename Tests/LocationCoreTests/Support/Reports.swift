import LocationCore

/// Reports of receivers, by the second of a receiver's time.
enum Reports {
  static let start = Timestamp(secondsSince1970: 1_800_000_000)

  static func time(_ seconds: Double) -> Timestamp {
    start.advanced(by: .milliseconds(Int64((seconds * 1000).rounded())))
  }

  /// - Parameter isThin: Whether it has only the place. A full one is written at once.
  static func fix(
    _ seconds: Double?, _ mode: FixMode = .fix3D, of device: String? = "a", isThin: Bool = false
  ) -> LocationEvent {
    .fix(locationFix(seconds, mode, of: device, isThin: isThin))
  }

  static func locationFix(
    _ seconds: Double?, _ mode: FixMode = .fix3D, of device: String? = "a", isThin: Bool = false
  ) -> LocationFix {
    var fix = LocationFix(
      coordinate: Coordinate(latitude: 47.37, longitude: 8.54)!, mode: mode, device: device,
      time: seconds.map(time))
    guard !isThin else { return fix }
    fix.ellipsoidalAltitude = 455.5
    fix.altitude = 408.1
    fix.speed = 0.8
    fix.course = 84.4
    fix.climbRate = 0.1
    fix[.eph] = 4.5
    fix.verticalError = 9.0
    return fix
  }

  static func noFix(
    _ seconds: Double?, isStated: Bool = true, of device: String? = "a"
  ) -> LocationEvent {
    .noFix(NoFix(device: device, time: seconds.map(time), isStated: isStated))
  }

  static func receivers(_ paths: String...) -> LocationEvent {
    .receivers(paths.map { Receiver(path: $0) })
  }

  static func moment(_ seconds: Double) -> Moment {
    Moment(uptime: .milliseconds(Int64((seconds * 1000).rounded())))
  }
}
