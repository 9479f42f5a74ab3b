// snippet: kept-regions
import Foundation
import LocationCore
// end

// snippet: gate
import LocationCore

/// Opens a gate while a vehicle is near it.
func operate(
  _ gate: Coordinate, for vehicle: some LocationProvider, open: (Bool) -> Void
) async throws(LocationError) {
  let region = Region.circle("gate", around: gate, radius: 50)
  var events = vehicle.regionEvents([region]).makeAsyncIterator()
  while let event = try await events.next() {
    open(event.presence == .inside)
  }
}
// end

// snippet: kept-regions

/// The regions of an app, which stay over a restart.
struct KeptRegions {
  var file: URL

  /// The regions that were kept, or none.
  func load() throws -> RegionMonitor {
    guard let data = try? Data(contentsOf: file) else { return RegionMonitor([]) }
    return try JSONDecoder().decode(RegionMonitor.self, from: data)
  }

  func save(_ monitor: RegionMonitor) throws {
    try JSONEncoder().encode(monitor).write(to: file, options: .atomic)
  }
}
// end

// snippet: watch
/// Reports the regions that a receiver enters and leaves, and keeps its presence in them.
func watch(
  _ regions: KeptRegions, of vehicle: some LocationProvider, report: (RegionEvent) -> Void
) async throws {
  var monitor = try regions.load()
  var updates = vehicle.updates(LocationRequest(onlyBelieved: true)).makeAsyncIterator()
  while true {
    let events: [RegionEvent]
    switch try await updates.next(until: monitor.deadline) {
    case .value(.fix(let fix), let moment): events = monitor.handle(fix, at: moment)
    case .value(_, let moment), .timedOut(let moment): events = monitor.expire(at: moment)
    case .ended: return
    }
    guard !events.isEmpty else { continue }
    try regions.save(monitor)
    events.forEach(report)
  }
}
// end
