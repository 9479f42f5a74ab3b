import LocationCore
import LocationReports
import LocationTestKit

/// The fixes of a receiver that rests, moves and is not seen, through a monitor of legs and stops.
package struct TripTarget: FuzzTarget {
  package init() {}

  package func round(seed: UInt64, into tally: inout FuzzTally) async throws -> String? {
    var random = SeededRandom(seed: seed)
    let trip = FuzzTrip(&random)
    tally.lines += trip.fixes.count
    tally.checks += 1
    var monitor = TripMonitor()
    var events = trip.fixes.flatMap { monitor.handle($0.fix, at: $0.moment) }
    events += monitor.finish()
    return StopCheck.complaint(about: events, of: trip.fixes, noise: trip.noise)
  }
}
