import Foundation
import LocationCore
import LocationSamples
import TestSupport
import Testing

@testable import LocationReports

/// Faults 75 and 77.
@Suite(.timeLimit(.minutes(10))) struct `A report of any receiver is written` {
  /// Outside a release build, two of the four rates.
  private static let rates: [Double] = isReleaseBuild ? [1, 5, 10, 25] : [1, 10]
  private static let streams: [ReceiverStream] = rates.flatMap { rate in
    [
      ReceiverStream(seed: UInt64(rate), rate: rate),
      ReceiverStream(seed: UInt64(rate) + 100, rate: rate, receivers: 2, step: 0.0001),
    ]
  }

  @Test(arguments: streams) func `for a receiver that stands or moves, at any rate`(
    stream: ReceiverStream
  ) throws {
    try check(stream)
  }

  @Test(arguments: ReceiverStream.Clock.allCases, [1, 2])
  func `for a receiver with any clock`(clock: ReceiverStream.Clock, receivers: Int) throws {
    try check(ReceiverStream(seed: 77, rate: 1, receivers: receivers, clock: clock))
  }

  @Test(arguments: [3600, 43_200, 34_560_000, 946_080_000] as [Double])
  func `for a day, for a month and for centuries`(pause: Double) throws {
    for clock in [ReceiverStream.Clock.right, .none] {
      try check(ReceiverStream(seed: 5, rate: 1, clock: clock, pause: (4, pause)))
    }
  }

  /// Writes the report in all forms in the middle of the updates, and at the end.
  private func check(_ stream: ReceiverStream) throws {
    let updates = stream.updates()
    var report = LocationReport(countsFigures: true)
    var fixes = 0
    for (number, (update, moment)) in updates.enumerated() {
      report.add(update, at: moment)
      if case .fix(let fix) = update, fix.isCurrent { fixes += 1 }
      if number == updates.count / 2 { try checkForms(of: report) }
    }
    let last = try #require(updates.last).moment
    report.end(at: last.advanced(by: .seconds(1)))
    try checkForms(of: report)
    #expect(fixes > 0 && report.receivers.map(\.fixCount).reduce(0, +) == fixes)
    for receiver in report.receivers {
      let columns = try #require(receiver.figures).columns
      // Each fix is in one column.
      let counted = (0..<columns.count).map { columns.fixes(in: $0) }
      #expect(counted.first?.lowerBound == 0 && counted.last?.upperBound == receiver.fixCount)
      #expect(zip(counted, counted.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
      let spans = try #require(receiver.figures).timeline.spans
      #expect(spans.allSatisfy { $0.start <= $0.end })
      #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end == $1.start })
      #expect(receiver.firstFix.map { $0 >= .zero } ?? true)
      #expect(receiver.outages.allSatisfy { $0.duration >= .zero })
    }
  }

  private func checkForms(of report: LocationReport) throws {
    let (page, text) = (report.page(), report.text())
    let json = try JSONSerialization.jsonObject(with: Data(report.json().utf8))
    let receivers = try #require((json as? [String: Any])?["receivers"] as? [[String: Any]])
    #expect(receivers.count == report.receivers.count)
    for word in ["nan", "NaN", "inf ", "inf<", "-inf"] {
      #expect(!page.contains(word) && !text.contains(word))
    }
    let body = try #require(page.range(of: "<body>")).lowerBound
    let xml = page[body...].replacingOccurrences(of: "</html>", with: "")
    #expect(isWholeXML(xml.utf8))
  }
}
