/// A satellite with all of its signals.
package struct TrackedSatellite: Sendable {
  /// What is known of the satellite from any signal: it is used if any of them is, and its strength
  /// belongs to the strongest one. ``Satellite/sigID`` belongs to the first one.
  package private(set) var satellite: Satellite
  /// The names of its signals.
  package private(set) var signals: [String] = []

  private init(_ signal: Satellite) {
    satellite = signal
    if let name = signal.signalName { signals.append(name) }
  }

  private mutating func add(_ signal: Satellite) {
    satellite.isUsed = satellite.isUsed || signal.isUsed
    if let strength = signal.signalStrength {
      satellite.signalStrength = max(strength, satellite.signalStrength ?? strength)
    }
    satellite.elevation = satellite.elevation ?? signal.elevation
    satellite.azimuth = satellite.azimuth ?? signal.azimuth
    satellite.health = max(satellite.health ?? 0, signal.health ?? 0)
    if let name = signal.signalName, !signals.contains(name) { signals.append(name) }
  }

  /// Returns the satellites of a list of signals, in the order of their first signals.
  package static func all(in signals: [Satellite]) -> [TrackedSatellite] {
    var satellites: [TrackedSatellite] = []
    var places: [SatelliteID: Int] = [:]
    for signal in signals {
      if let place = places[signal.id] {
        satellites[place].add(signal)
      } else {
        places[signal.id] = satellites.count
        satellites.append(TrackedSatellite(signal))
      }
    }
    return satellites
  }
}
