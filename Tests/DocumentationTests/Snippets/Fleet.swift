// snippet: fleet
import LocationCore

/// Shows where each ship is, and which of them cannot be reached.
func show(
  _ ships: [(name: String, provider: any LocationProvider)], on map: (String, String) -> Void
) async {
  for await (name, update) in LocationFleet(ships) {
    switch update {
    case .fix(let fix): map(name, "\(fix.coordinate)")
    case .state(let change) where !change.state.hasFix: map(name, change.state.rawValue)
    default: break
    }
  }
}
// end

// snippet: monitors
/// Reports when each ship enters and leaves a harbour.
func log(
  _ ships: [(name: String, provider: any LocationProvider)], at harbour: Region,
  to line: (String, RegionEvent) -> Void
) async {
  var monitors: [String: RegionMonitor] = [:]
  for await (name, timed) in LocationFleet(ships).timed {
    guard case .fix(let fix) = timed.update else { continue }
    let events = monitors[name, default: RegionMonitor([harbour])].handle(fix, at: timed.moment)
    for event in events { line(name, event) }
  }
}
// end

// snippet: best
/// Returns the position of a ship with a receiver at the bow and one at the stern.
func position(
  bow: some LocationProvider, stern: some LocationProvider
) async throws(LocationError) -> Coordinate {
  let ship = BestLocationProvider([("bow", bow), ("stern", stern)])
  return try await ship.currentLocation(timeout: .seconds(10)).coordinate
}
// end
