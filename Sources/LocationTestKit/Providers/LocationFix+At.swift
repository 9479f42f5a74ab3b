public import LocationCore

extension LocationFix {
  /// A fix for a test: standing still at sea level, with everything that a good receiver tells.
  ///
  /// ```swift
  /// source.forceLocation(.at(latitude: -33.85, longitude: 151.21))
  /// ```
  ///
  /// It is complete, so that a ``ScriptedLocationSource`` whose clock stands still has it reported at
  /// once: a watcher waits 150 ms for the rest of an epoch that tells less than the one before.
  ///
  /// - Parameters:
  ///   - latitude: Degrees north of the equator, -90 to 90. Anything else traps.
  ///   - longitude: Degrees east of Greenwich, -180 to 180. Anything else traps.
  ///   - accuracy: In metres; `nil` where the receiver estimates none.
  ///   - mode: `FixMode.twoD` leaves out heights.
  ///   - device: The receiver's path; empty where none is named.
  ///   - time: The instant of the fix by the receiver's clock. Fixes of one time are one epoch, and
  ///     count once; those without are an epoch each.
  public static func at(
    latitude: Double, longitude: Double, accuracy: Double? = 5, mode: FixMode = .threeD,
    device: String = "", time: Timestamp? = nil
  ) -> LocationFix {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      preconditionFailure("there is no place at \(latitude), \(longitude)")
    }
    return at(coordinate, accuracy: accuracy, mode: mode, device: device, time: time)
  }

  static func at(
    _ coordinate: Coordinate, accuracy: Double? = 5, mode: FixMode = .threeD, device: String = "",
    time: Timestamp?
  ) -> LocationFix {
    var fix = LocationFix(coordinate: coordinate, mode: mode, device: device, time: time)
    fix.eph = accuracy
    fix.speed = 0
    fix.track = 0
    guard mode == .threeD else { return fix }
    fix.altMSL = 0
    fix.altHAE = 0
    fix.climb = 0
    fix.epv = accuracy.map { $0 * 2 }
    return fix
  }
}
