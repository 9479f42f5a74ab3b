// snippet: speed limit
import LocationCore

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
