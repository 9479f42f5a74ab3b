@testable import GPSDLocation
import GPSDProtocol
import LocationCore
import LocationTestKit
import Testing

@Suite struct `Statistics of what came` {
  private func counts(_ session: some GPSDSession, times: Int = 1) async throws
    -> GPSDStatistics.Counts
  {
    let statistics = GPSDStatistics()
    let source = GPSDLocationSource(statistics: statistics, makeSession: { session })
    for _ in 0..<times { for try await _ in source.events() {} }
    return statistics.counts
  }

  /// The end of the chain: what a recording holds reaches no fix, and no request takes it for accurate.
  @Test func `counts numbers that cannot be, which no fix has`() async throws {
    let names = TPV.reported.filter { $0.kind == .number }.map { "\($0)" }
    let members = names.map { "\"\($0)\":1e300" }.joined(separator: ",")
    let lines = [
      #"{"class":"TPV","device":"a","time":"2026-11-20T07:05:12.000Z","mode":3,"lat":1,"lon":2,"eph":-1.5,"epx":-1,"epv":-1,"speed":-2,"track":-1}"#,
      #"{"class":"SKY","device":"a","hdop":-1.5,"vdop":-1,"pdop":-1e300}"#,
      #"{"class":"TPV","device":"a","time":"2026-11-20T07:05:13.000Z","mode":3,"lat":1,"lon":2,\#(members)}"#,
    ]
    let statistics = GPSDStatistics()
    let source = GPSDLocationSource(
      statistics: statistics, makeSession: { RecordedSession(lines: lines) })
    var fixes: [LocationFix] = []
    for try await update in source.updates() {
      if case .fix(let fix) = update { fixes.append(fix) }
    }
    #expect(fixes.count == 2)
    for fix in fixes {
      #expect(LocationFix.Quantity.allCases.allSatisfy { fix[$0] == nil }, "\(fix)")
    }
    #expect(statistics.counts.impossibleNumbers == 5 + 3 + names.count)
    let request = LocationRequest(desiredAccuracy: 20)
    for try await update in source.updates(request) {
      if case .fix(let fix) = update { Issue.record("\(fix)") }
    }
  }

  @Test func `counts classes beyond 64 as other`() async throws {
    let lines = (1...70).map { #"{"class":"C\#($0)"}"# }
    let counts = try await counts(RecordedSession(lines: lines))
    #expect(counts.reports.count == 65)
    #expect(counts.reports["other"] == 6)
  }

  @Test(arguments: [0, 70])
  func `remember the requested receiver among any number of others`(before: Int) {
    let statistics = GPSDStatistics()
    for number in 0..<before { statistics.record(receiver: "/dev/\(number)", isRequested: false) }
    statistics.record(receiver: "/dev/a", isRequested: true)
    for number in 0..<200 { statistics.record(receiver: "/dev/\(number)", isRequested: false) }
    #expect(statistics.receivers.count == 64)
    #expect(statistics.receivers.contains("/dev/a"))
  }
}
