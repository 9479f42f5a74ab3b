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

func report(on provider: some LocationProvider) async throws -> String {
  // snippet: page
  var report = LocationReport(countsFigures: true)
  try await report.add(contentsOf: provider.updates())
  let page = report.page(source: "Roof antenna")
  // end
  return page
}
