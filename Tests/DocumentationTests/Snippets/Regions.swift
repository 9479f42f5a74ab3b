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
