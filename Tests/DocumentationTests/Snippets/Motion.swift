// snippet: motion
import LocationCore

/// Turns the engine off while a boat lies still.
func saveFuel(
  of boat: some LocationProvider, engine: (Bool) -> Void
) async throws(LocationError) {
  let monitor = MotionMonitor(dwell: .seconds(120), radius: 40)
  var events = boat.events(of: monitor).makeAsyncIterator()
  while let event = try await events.next() {
    engine(event.motion != .stationary)
  }
}
// end

// snippet: speed limit
/// Reports each fix that is faster than a limit.
struct SpeedLimit: LocationMonitor {
  /// In metres per second.
  let limit: Double

  mutating func handle(_ fix: LocationFix, at moment: Moment) -> [LocationFix] {
    guard fix.isCurrent, let speed = fix.speed, speed > limit else { return [] }
    return [fix]
  }
}
// end
