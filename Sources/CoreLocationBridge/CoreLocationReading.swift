@_exported public import LocationCore

/// An update of Core Location as plain values, so that what becomes of it is tested on every system.
package struct CoreLocationReading: Hashable, Sendable {
  /// A `CLLocation`. Negative numbers are invalid where Core Location documents them so.
  package struct Place: Hashable, Sendable {
    package var latitude, longitude, horizontalAccuracy: Double
    package var altitude, ellipsoidalAltitude, verticalAccuracy: Double
    package var speed, speedAccuracy: Double
    package var course, courseAccuracy: Double
    package var secondsSince1970: Double
    package var isSimulated: Bool

    package init(
      latitude: Double, longitude: Double, horizontalAccuracy: Double, altitude: Double,
      ellipsoidalAltitude: Double, verticalAccuracy: Double, speed: Double, speedAccuracy: Double,
      course: Double, courseAccuracy: Double, secondsSince1970: Double, isSimulated: Bool
    ) {
      (self.latitude, self.longitude) = (latitude, longitude)
      self.horizontalAccuracy = horizontalAccuracy
      (self.altitude, self.ellipsoidalAltitude) = (altitude, ellipsoidalAltitude)
      self.verticalAccuracy = verticalAccuracy
      (self.speed, self.speedAccuracy) = (speed, speedAccuracy)
      (self.course, self.courseAccuracy) = (course, courseAccuracy)
      self.secondsSince1970 = secondsSince1970
      self.isSimulated = isSimulated
    }
  }

  /// `nil` if the update has no location.
  package var place: Place?
  /// Whether the user denied access, to the app or to all.
  package var isDenied: Bool
  /// Whether the app may not have access, by parental controls or a profile.
  package var isRestricted: Bool

  package init(place: Place?, isDenied: Bool = false, isRestricted: Bool = false) {
    self.place = place
    self.isDenied = isDenied
    self.isRestricted = isRestricted
  }

  /// The event that a provider reports.
  ///
  /// - Throws: ``LocationError`` with the code `denied` or `restricted` if there is no access.
  package var event: LocationEvent {
    get throws(LocationError) {
      if isRestricted { throw LocationError(.restricted, "location is restricted on this device") }
      if isDenied { throw LocationError(.denied, "the user has denied access to the location") }
      return place?.fix.map(LocationEvent.fix) ?? .noFix(NoFix())
    }
  }
}

extension CoreLocationReading.Place {
  /// The fix; `nil` if the position is invalid, which Core Location says by a negative horizontal accuracy.
  fileprivate var fix: LocationFix? {
    guard horizontalAccuracy >= 0,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    // An accuracy of 0 or less says that the heights are invalid.
    let hasHeight = verticalAccuracy > 0
    var fix = LocationFix(
      coordinate: coordinate, mode: hasHeight ? .fix3D : .fix2D,
      time: Timestamp(nearestTo: secondsSince1970), accuracy: horizontalAccuracy)
    if hasHeight {
      fix.altMSL = altitude
      fix.altHAE = ellipsoidalAltitude
      fix.epv = verticalAccuracy
    }
    // A negative speed, course or accuracy of one says that it is invalid.
    if speed >= 0, speedAccuracy >= 0 {
      fix.speed = speed
      fix[.eps] = speedAccuracy
    }
    if course >= 0, courseAccuracy >= 0 {
      fix.track = course
      fix[.epd] = courseAccuracy
    }
    if isSimulated { fix.quality = .simulated }
    return fix
  }
}

extension Timestamp {
  /// Creates the time that is nearest to a number of seconds since 1970; `nil` if it is not within 280 years of 1970.
  fileprivate init?(nearestTo seconds: Double) {
    guard abs(seconds) < 9e9 else { return nil }
    let whole = seconds.rounded(.down)
    let nanoseconds = min((seconds - whole) * 1e9, 999_999_999)
    self.init(secondsSince1970: Int64(whole), nanoseconds: Int32(nanoseconds))
  }
}
