import Glibc

/// Satellites on circular orbits, as a receiver beside two buildings sees them.
enum MovingSky {
  private struct Orbits {
    let system: SatelliteSystem
    let planes, satellites: Int
    /// Kilometres, degrees and seconds.
    let radius, inclination, period: Double
    /// The number of the first satellite.
    let first: Int
  }

  private static let systems = [
    Orbits(
      system: .gps, planes: 6, satellites: 4, radius: 26_560, inclination: 55, period: 43_082,
      first: 1),
    Orbits(
      system: .glonass, planes: 3, satellites: 8, radius: 25_510, inclination: 64.8,
      period: 40_544, first: 65),
    Orbits(
      system: .galileo, planes: 3, satellites: 8, radius: 29_600, inclination: 56,
      period: 50_685, first: 1),
  ]

  /// - Parameters:
  ///   - isBlind: Whether nothing but the strongest signals comes through.
  ///   - maximumUsed: The maximum number of satellites that are used.
  static func satellites(
    over route: Route, atSecond seconds: Double, isBlind: Bool, maximumUsed: Int
  ) -> [SimulatedSatellite] {
    var used = 0
    return systems.flatMap { orbits in
      (0..<orbits.planes * orbits.satellites).compactMap { index in
        let place = place(of: index, in: orbits, over: route, atSecond: seconds)
        guard place.elevation >= 5 else { return nil }
        let signal = signal(from: place, number: index, atSecond: seconds)
        let isReceived = signal >= (isBlind ? 44 : 15)
        let isUsed = !isBlind && signal >= 28 && place.elevation >= 10 && used < maximumUsed
        if isUsed { used += 1 }
        return SimulatedSatellite(
          number: orbits.first + index, elevation: Int(place.elevation.rounded()),
          azimuth: Int(place.azimuth.rounded()) % 360,
          signal: isReceived ? Int(signal.rounded()) : nil, isUsed: isUsed, system: orbits.system)
      }
    }
  }

  private static func place(
    of index: Int, in orbits: Orbits, over route: Route, atSecond seconds: Double
  ) -> (elevation: Double, azimuth: Double) {
    let (plane, slot) = index.quotientAndRemainder(dividingBy: orbits.satellites)
    let turn = 2 * Double.pi
    let u =
      turn
      * (Double(slot) / Double(orbits.satellites) + 0.07 * Double(plane)
        + seconds / orbits.period)
    let node = turn * (Double(plane) / Double(orbits.planes) - seconds / 86_164)
    let tilt = orbits.inclination * .pi / 180
    let x = orbits.radius * (cos(u) * cos(node) - sin(u) * cos(tilt) * sin(node))
    let y = orbits.radius * (cos(u) * sin(node) + sin(u) * cos(tilt) * cos(node))
    let z = orbits.radius * sin(u) * sin(tilt)
    let (latitude, longitude) = (route.latitude * .pi / 180, route.longitude * .pi / 180)
    let east = -sin(longitude) * x + cos(longitude) * y
    let outward = cos(longitude) * x + sin(longitude) * y
    let north = -sin(latitude) * outward + cos(latitude) * z
    let up = cos(latitude) * outward + sin(latitude) * z - 6371
    let azimuth = atan2(east, north) * 180 / .pi
    return (atan2(up, hypot(east, north)) * 180 / .pi, azimuth < 0 ? azimuth + 360 : azimuth)
  }

  /// Signals are stronger from above. A wall in the east stops them, and trees in the south-west
  /// weaken them.
  private static func signal(
    from place: (elevation: Double, azimuth: Double), number: Int, atSecond seconds: Double
  ) -> Double {
    let clear =
      29 + 19 * sin(place.elevation * .pi / 180) + 1.5 * sin(seconds / 60 + Double(number))
    switch (place.azimuth, place.elevation) {
    case (50..<115, ..<38): return 0
    case (205..<250, ..<25): return clear - 11
    default: return clear
    }
  }
}
