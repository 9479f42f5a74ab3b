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
