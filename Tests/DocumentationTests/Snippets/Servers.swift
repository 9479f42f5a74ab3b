// snippet: ship server
import LocationCore

/// Answers requests for the position of a ship.
struct ShipServer {
  let hub: LocationHub

  /// Returns the position at once if it is known, or else within 5 s.
  func position() async throws(LocationError) -> Coordinate {
    try await hub.currentLocation(timeout: .seconds(5)).coordinate
  }

  /// Returns whether the server is healthy, without waiting.
  var isHealthy: Bool { hub.state?.hasFix ?? false }
}
// end

// snippet: stream
/// Sends every fix to a client, as fast as it takes them.
func stream(_ hub: LocationHub, to send: (Coordinate) async -> Void) async throws(LocationError) {
  var updates = hub.latestUpdates().makeAsyncIterator()
  while let update = try await updates.next() {
    if case .fix(let fix) = update { await send(fix.coordinate) }
  }
  print("The client missed \(updates.droppedCount) updates.")
}
// end

// snippet: share
/// Serves the position of a ship, and says when it enters and leaves the harbour.
func serve(
  _ ship: some LocationProvider, near harbour: Region, say: @Sendable (RegionPresence) -> Void
) async throws(LocationError) {
  let hub = LocationHub(ship)
  var events = hub.regionEvents([harbour]).makeAsyncIterator()
  while let event = try await events.next() { say(event.presence) }
}
// end
