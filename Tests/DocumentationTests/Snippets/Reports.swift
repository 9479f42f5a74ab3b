import LocationReports

func printScatter(of provider: some LocationProvider) async throws {
  // snippet: reports
  var report = LocationReport()
  for try await update in provider.updates() {
    report.add(update, at: provider.clock.now)
  }
  report.end(at: provider.clock.now)
  for receiver in report.receivers {
    print(receiver.device ?? "", receiver.scatter?.cep50 ?? .nan, receiver.availability ?? 0)
  }
  // end
}
