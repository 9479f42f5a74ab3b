import GPSDLocation
import GPSDProtocol
import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTrait

@Suite(.virtualTime) struct `Headings of gpsd` {
  private func headings(_ lines: [String]) async throws -> [LocationHeading] {
    let source = GPSDLocationSource(replaying: RecordedSession(lines: [Lines.version] + lines))
    var headings: [LocationHeading] = []
    for try await heading in source.headings(retries: .never) { headings.append(heading) }
    return headings
  }

  private static let fix =
    #"{"class":"TPV","device":"/dev/a","mode":2,"time":"2026-11-20T07:05:00.000Z","lat":1,"lon":2,"#
    + #""magvar":3.5}"#

  @Test func `are those of ATT, with the variation of the last fix`() async throws {
    let headings = try await headings([
      #"{"class":"ATT","device":"/dev/b","time":"2026-11-20T07:04:59.000Z","heading":142.5}"#,
      Self.fix, Lines.tpv(1), Lines.tpv(2),
      #"{"class":"ATT","device":"/dev/b","mheading":359.0,"mag_st":"N"}"#,
      #"{"class":"IMU","device":"/dev/b","mheading":1.0}"#,
      #"{"class":"ATT","device":"/dev/b","pitch":1.0}"#,
      #"{"class":"ATT","device":"/dev/b","heading":14223.000,"mag_st":"N"}"#,
    ])
    #expect(headings.map(\.description) == ["142.5 true", "2.5 true, 359.0 magnetic"])
    #expect(headings.map(\.device) == ["/dev/b", "/dev/b"])
    #expect(headings.map(\.accuracy) == [nil, nil])
    #expect(headings.map(\.time) == [Timestamp(iso8601: "2026-11-20T07:04:59.000Z"), nil])
  }

  @Test func `are passed on by any provider that reports ATT`() async throws {
    let report = ServiceReport(.att, text: #"{"class":"ATT","heading":90}"#)
    let clock = ManualClock()
    let source = ScriptedLocationSource(clock: clock, scripts: [.event(.other(report))])
    var headings = source.headings(retries: .never).makeAsyncIterator()
    #expect(try await headings.next()?.trueHeading == 90)
    #expect(source.calls == [.connect(LocationRequest(reports: [.att]))])
  }
}
