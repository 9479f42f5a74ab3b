import GPSDLocation

// snippet: reports
/// Shows gpsd's reports of satellites and clocks as it sent them, in JSON.
func showReports(
  of source: some LocationProvider, _ show: (String) -> Void
) async throws(LocationError) {
  let kinds = ["SKY", "TOFF", "PPS"].map { ServiceReport.Kind(rawValue: $0) }
  var updates = source.updates(LocationRequest(reports: Set(kinds))).makeAsyncIterator()
  while let update = try await updates.next() {
    if case .event(.other(let report)) = update { show(report.text) }
  }
}
// end
