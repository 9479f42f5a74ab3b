import LocationCore

/// The paths of satellites across the sky. Places of a path are at least three degrees apart.
struct SkyTraces: Hashable, Sendable {
  /// A place in the sky, in whole degrees.
  struct Place: Hashable, Sendable {
    var elevation: Int8
    var azimuth: Int16
    /// Whether the satellite was out of sight before.
    var isRise = false

    /// The comparison uses the larger of the distances along the elevation and along its circle, which is
    /// exact enough for thinning.
    fileprivate func isWithin(_ degrees: Int, of other: Place) -> Bool {
      let rise = abs(Int(elevation) - Int(other.elevation))
      let turn = abs(Int(azimuth) - Int(other.azimuth))
      let shorter = min(turn, 360 - turn)
      // Most places are near the last one. They need no cosine.
      return rise < degrees
        && (shorter < degrees
          || Double(shorter) * sineAndCosine(ofDegrees: Double(elevation)).cosine < Double(degrees))
    }
  }

  struct Trace: Hashable, Sendable {
    /// The satellite as it was last seen, with the strongest of its signals.
    var satellite: Satellite
    /// The satellite's ID, stored separately because a comparison would copy the satellite.
    fileprivate let id: SatelliteID
    var places: [Place]
    fileprivate var spacing: Int
    fileprivate var view: Int
  }

  /// The maximum number of satellites.
  private static let maximumTraces = 192
  /// The maximum number of places of a satellite. Beyond it, places are farther apart.
  private static let maximumPlaces = 256

  private(set) var traces: [Trace] = []
  private var view = 0
  private var latest = 0

  /// Whether the satellite of a trace is in the last view.
  func isInView(_ trace: Trace) -> Bool { trace.view == view }

  mutating func add(_ satellites: [Satellite]) {
    view += 1
    for index in satellites.indices {
      guard let (elevation, azimuth) = satellites[index].direction else { continue }
      add(
        satellites[index],
        at: Place(
          elevation: Int8(elevation.rounded()), azimuth: Int16(Int(azimuth.rounded()) % 360)))
    }
  }

  private mutating func add(_ satellite: Satellite, at place: Place) {
    let id = satellite.id
    guard let index = index(of: id) else {
      guard traces.count < Self.maximumTraces else { return }
      var place = place
      place.isRise = true
      latest = traces.count
      traces.append(
        Trace(satellite: satellite, id: id, places: [place], spacing: 3, view: view))
      return
    }
    latest = index
    traces[index].add(satellite, at: place, in: view, maximum: Self.maximumPlaces)
  }

  /// A receiver lists satellites in nearly the same order each time.
  private func index(of id: SatelliteID) -> Int? {
    for offset in 0..<min(3, traces.count) {
      let index = (latest + offset) % traces.count
      if traces[index].id == id { return index }
    }
    return traces.firstIndex { $0.id == id }
  }
}

extension Satellite {
  /// The elevation, from 0 to 90 degrees, and the azimuth, from 0 to 360 degrees; `nil` if the satellite is
  /// below the horizon, or if its direction is unknown or invalid.
  var direction: (elevation: Double, azimuth: Double)? {
    guard let elevation, (0...90).contains(elevation), let azimuth, (0...360).contains(azimuth)
    else { return nil }
    return (elevation, azimuth)
  }

  /// The signal strength, in dBHz; `nil` if no signal is received.
  var receivedStrength: Double? { signalStrength.flatMap { $0 > 0 ? $0.ifPlausible : nil } }
}

extension SkyTraces.Trace {
  fileprivate mutating func add(
    _ satellite: Satellite, at place: SkyTraces.Place, in view: Int, maximum: Int
  ) {
    if self.view == view {
      let strength = max(self.satellite.receivedStrength ?? 0, satellite.receivedStrength ?? 0)
      self.satellite.isUsed = self.satellite.isUsed || satellite.isUsed
      self.satellite.signalStrength = strength > 0 ? strength : nil
      return
    }
    self.satellite = satellite
    self.view = view
    guard let last = places.last, !place.isWithin(spacing, of: last) else { return }
    var place = place
    place.isRise = !place.isWithin(5 * spacing, of: last)
    places.append(place)
    guard places.count > maximum else { return }
    spacing *= 2
    var thinned: [SkyTraces.Place] = []
    for place in places {
      if !place.isRise, let last = thinned.last, place.isWithin(spacing, of: last) { continue }
      thinned.append(place)
    }
    // If the satellite rose often, too many places are left. The earliest are removed.
    places = Array(thinned.suffix(maximum / 2))
    places[0].isRise = true
  }
}
