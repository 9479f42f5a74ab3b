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
