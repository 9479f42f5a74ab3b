import LocationCore
import LocationReports
import LocationTestKit

/// Reports of gpsd through a source and its updates into `--report`, in all three forms, asked for in
/// the middle as by SIGUSR1, and at the end.
package struct ReportTarget: FuzzTarget {
  package init() {}

  package func round(seed: UInt64, into tally: inout FuzzTally) async throws -> String? {
    var random = SeededRandom(seed: seed)
    let script = FuzzScript(isOdd: seed % 2 == 1, &random)
    tally.lines += script.lines
    var updates = ScriptUpdates(script, &random)
    var report = LocationReport(reference: reference(&random), countsFigures: true)
    let source = random.happens(onceIn: 2) ? "boat" : nil
    var requests = 3
    while let (update, moment) = try await updates.next() {
      report.add(update, at: moment)
      if seed % 2 == 0, case .change(let change) = update, case .doubt = change.kind {
        return "an ordinary receiver is doubted: \(change)"
      }
      guard requests > 0, random.happens(onceIn: 300) else { continue }
      requests -= 1
      tally.checks += 1
      var copy = report
      copy.end(at: moment)
      if let complaint = ReportCheck.complaint(about: copy, source: source) {
        return "in the middle: \(complaint)"
      }
    }
    report.end(at: updates.end)
    tally.checks += 1
    return ReportCheck.complaint(about: report, source: source)
  }

  private func reference(_ random: inout SeededRandom) -> LocationReport.Reference? {
    guard random.happens(onceIn: 4) else { return nil }
    let places = [(48.1, 11.5), (90, 0), (-90, 180), (0, -180), (0.0, 0.0)]
    let (latitude, longitude) = random.pick(places)
    let heights: [Double?] = [nil, 0, 500, 9000]
    return Coordinate(latitude: latitude, longitude: longitude).map {
      LocationReport.Reference($0, altHAE: random.pick(heights))
    }
  }
}
