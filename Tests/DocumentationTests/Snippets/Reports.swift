import LocationReports

func printScatter(of provider: some LocationProvider) async throws {
  // snippet: reports
  var report = LocationReport()
  try await report.add(contentsOf: provider.updates())
  for receiver in report.receivers {
    print(receiver.device ?? "", receiver.scatter?.cep50 ?? .nan, receiver.availability ?? 0)
  }
  // end
}

func printFixes(of provider: some LocationProvider) async throws -> LocationReport {
  // snippet: timed
  var report = LocationReport()
  for try await timed in provider.updates().timed {
    report.add(timed)
    if case .fix(let fix) = timed.update { print(fix.coordinate) }
  }
  report.end(at: provider.clock.now)
  // end
  return report
}

func report(on provider: some LocationProvider) async throws -> String {
  // snippet: page
  var report = LocationReport(countsFigures: true)
  try await report.add(contentsOf: provider.updates())
  let page = report.page(source: "Roof antenna")
  // end
  return page
}

func printLegs(of provider: some LocationProvider) async throws {
  // snippet: legs
  for try await event in provider.events(of: TripMonitor()) {
    if case .legEnded(let leg) = event { print(leg.distance, leg.duration) }
  }
  // end
}

// snippet: last leg
/// Shows legs and stops until the provider ends or fails, or the task is cancelled.
func followTrip(
  of provider: some LocationProvider, show: (TripEvent) -> Void
) async throws(LocationError) {
  var monitor = TripMonitor()
  defer { monitor.finish().forEach(show) }
  var updates = provider.updates().makeAsyncIterator()
  while true {
    switch try await updates.next(until: monitor.deadline) {
    case .value(.fix(let fix), let moment): monitor.handle(fix, at: moment).forEach(show)
    case .value: break
    case .timedOut(let moment): monitor.expire(at: moment).forEach(show)
    case .ended: return
    }
  }
}
// end
