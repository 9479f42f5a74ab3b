@testable import GPSDLocation
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

  @Test func `counts reports by class, and bad lines, over all connections`() async throws {
    let lines = [
      Lines.version, Lines.devices, Lines.watch, Lines.tpv(1), Lines.tpv(2), Lines.sky(),
      #"{"class":"GST"}"#, #"{"class":"ATT"}"#, #"{"class":"AIS"}"#, Lines.refusal, Lines.removed,
      "", "   ", "torn {", #"{"noclass":1}"#,
    ]
    let counts = try await counts(RecordedSession(lines: lines), times: 2)
    #expect(
      counts.reports == [
        "VERSION": 2, "DEVICES": 2, "WATCH": 2, "TPV": 4, "SKY": 2, "GST": 2, "ATT": 2, "AIS": 2,
        "ERROR": 2, "DEVICE": 2,
      ])
    #expect(counts.badLines == 4)
    #expect(counts.connections == 2)
    #expect(counts.discards == 0)
  }

  @Test func `counts lines that are too long, with their bytes`() async throws {
    let long = String(repeating: "x", count: 65_536)
    let counts = try await counts(RecordedSession(lines: [Lines.tpv(1), long, Lines.tpv(2)]))
    #expect(counts.reports == ["TPV": 2])
    #expect(counts.discards == 1)
    #expect(counts.discardedBytes == 65_537)
  }

  @Test func `counts a line that is too long once, however long it is`() async throws {
    let lengths = [65_536, 131_071, 131_072, 300_000]
    let lines = lengths.map { String(repeating: "x", count: $0) }
    let counts = try await counts(RecordedSession(lines: lines + [Lines.tpv(1)] + lines))
    #expect(counts.reports == ["TPV": 1])
    #expect(counts.badLines == 0)
    #expect(counts.discards == 2 * lengths.count)
    #expect(counts.discardedBytes == 2 * lengths.reduce(lengths.count, +))
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
