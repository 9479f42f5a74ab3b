import Glibc

/// Where a receiver goes: round in a circle, clockwise, from its northernmost point.
package struct Route: Hashable, Sendable {
  /// Degrees, north and east positive.
  package var latitude: Double
  package var longitude: Double
  /// Metres above mean sea level, in the mean.
  package var altitudeMSL: Double
  /// Metres of mean sea level above the ellipsoid.
  package var geoidSeparation: Double
  /// Metres; 0 for a receiver that does not move.
  package var radius: Double
  /// Metres per second.
  package var speed: Double
  /// About how far positions are from where the receiver is, in metres.
  package var error = 0.0
  /// About how far speeds are from the true one, in metres per second.
  package var speedError = 0.0
  /// Positions are rounded to this number of degrees, as by receivers that write few digits.
  package var grid: Double?
  /// Which errors they are: other ones for each number.
  package var seed = 0

  package init(
    latitude: Double = 48.118633333, longitude: Double = 11.517333333, altitudeMSL: Double = 545.4,
    geoidSeparation: Double = 46.9, radius: Double = 0, speed: Double = 0
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitudeMSL = altitudeMSL
    self.geoidSeparation = geoidSeparation
    self.radius = radius
    self.speed = speed
  }

  /// The circle's centre, and no movement.
  package static let standing = Route()
  /// A round of 2.5 km in three and a half minutes, 10 m up and down.
  package static let driving = Route(radius: 400, speed: 12)

  package func place(afterMilliseconds milliseconds: Int64) -> ReceiverPlace {
    guard radius > 0 else { return place(north: 0, east: 0, height: 0, course: 0) }
    let angle = Double(milliseconds) / 1000 * speed / radius
    return place(
      north: radius * cos(angle), east: radius * sin(angle), height: 5 * sin(angle),
      course: (angle * 180 / .pi + 90).truncatingRemainder(dividingBy: 360))
  }

  /// Returns a place with the error of its time: slow waves, as of delays in the atmosphere, and a
  /// little noise.
  func wandered(_ place: ReceiverPlace, _ milliseconds: Int64, share: Double) -> ReceiverPlace {
    let seconds = Double(milliseconds) / 1000 + 7919 * Double(seed)
    /// From -0.5 to 0.5.
    func noise(_ phase: Double) -> Double {
      let noise = sin(seconds * 12.9898 + phase * 78.233) * 43758.5453
      return noise - noise.rounded(.down) - 0.5
    }
    func wave(_ phase: Double) -> Double {
      0.7 * sin(seconds / 410 + phase) + 0.5 * sin(seconds / 97 + 2 * phase) + 0.8 * noise(phase)
    }
    var place = place
    if error > 0 {
      let scale = error * share
      place = moved(place, north: scale * wave(1), east: scale * 0.7 * wave(2))
      place.altitudeMSL += 1.6 * scale * wave(3)
    }
    if speedError > 0 { place.speed = abs(place.speed + 2 * speedError * noise(4)) }
    return place
  }

  /// Returns a place this many metres away.
  func moved(_ place: ReceiverPlace, north: Double = 0, east: Double) -> ReceiverPlace {
    let moved = self.place(north: north, east: east, height: 0, course: 0)
    var place = place
    place.latitude += moved.latitude - latitude
    place.longitude += moved.longitude - longitude
    return place
  }

  /// Returns a place with as many digits as are written.
  func rounded(_ place: ReceiverPlace) -> ReceiverPlace {
    guard let grid else { return place }
    var place = place
    place.latitude = (place.latitude / grid).rounded() * grid
    place.longitude = (place.longitude / grid).rounded() * grid
    return place
  }

  /// Metres from the circle's centre become degrees by the ellipsoid's radii of curvature there.
  private func place(
    north: Double, east: Double, height: Double, course: Double
  ) -> ReceiverPlace {
    let semiMajorAxis = 6_378_137.0
    let squaredEccentricity = 0.00669437999014
    let sine = sin(latitude * .pi / 180)
    let bend = 1 - squaredEccentricity * sine * sine
    let meridional = semiMajorAxis * (1 - squaredEccentricity) / (bend * bend.squareRoot())
    let transverse = semiMajorAxis / bend.squareRoot()
    return ReceiverPlace(
      latitude: latitude + north / meridional * 180 / .pi,
      longitude: longitude + east / (transverse * cos(latitude * .pi / 180)) * 180 / .pi,
      altitudeMSL: altitudeMSL + height, geoidSeparation: geoidSeparation,
      speed: speed, course: course)
  }
}
