// snippet: signal
import Dispatch
import Glibc
// end
// snippet: service
import LibGPS
// end

// snippet: signal

/// Runs until the work ends, and cancels it at SIGTERM.
nonisolated func runUntilTerminated(_ work: @escaping @Sendable () async -> Void) async {
  let task = Task { await work() }
  signal(SIGTERM, SIG_IGN)
  let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
  source.setEventHandler { task.cancel() }
  source.activate()
  await task.value
  source.cancel()
}
// end

// snippet: service

/// Opens a gate while a vehicle is near it.
struct Gatekeeper {
  let hub: LocationHub
  let gate: Region
  let open: @Sendable (Bool) async -> Void

  func run() async throws {
    var events = hub.regionEvents([gate]).makeAsyncIterator()
    while let event = try await events.next() { await open(event.presence == .inside) }
  }
}
// end

// snippet: metrics
/// Sets the gauges of a source, at any interval.
func setGauges(
  _ statistics: GPSDStatistics, _ hub: LocationHub, set: (String, Double) -> Void
) {
  let counts = statistics.counts
  set("gpsd_reports", Double(counts.reports.values.reduce(0, +)))
  set("gpsd_bad_lines", Double(counts.badLines))
  set("gpsd_connected", hub.isConnected ? 1 : 0)
  set("location_has_fix", hub.state?.hasFix == true ? 1 : 0)
  if let error = hub.location?.horizontalError { set("location_error_metres", error) }
}
// end
