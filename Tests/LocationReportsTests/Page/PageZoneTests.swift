import LocationCore
import LocationText
import Testing

@testable import LocationReports

@Suite struct `The times of a page` {
  private let offset = PageZone.Offset(name: "CET", secondsFromUTC: 3600)
  private var zone: PageZone { PageZone(offset) }

  private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(iso8601: text)) }

  @Test(arguments: [
    (
      "2026-11-20T07:05:12Z", "2026-11-20T08:05:00Z",
      "2026-11-20 08:05 to 09:05 CET (07:05 to 08:05 UTC)"
    ),
    (
      "2026-11-20T22:59:59.7Z", "2026-11-20T23:59:00Z",
      "2026-11-21 00:00 to 00:59 CET (2026-11-20 23:00 to 23:59 UTC)"
    ),
    (
      "2026-11-20T22:30:00Z", "2026-11-20T23:30:00Z",
      "2026-11-20 23:30 to 2026-11-21 00:30 CET (22:30 to 23:30 UTC)"
    ),
  ])
  func `are in its zone, and beside them in UTC`(from: String, to: String, span: String)
    throws
  {
    #expect(zone.span(from: try time(from), to: try time(to)) == span)
  }

  @Test func `are only in UTC if there is no other zone`() throws {
    let (from, to) = (try time("2026-11-20T07:05:12Z"), try time("2026-11-20T08:05:00Z"))
    #expect(PageZone.utc.span(from: from, to: to) == "2026-11-20 07:05 to 08:05 UTC")
    let (soon, later) = (try time("2026-11-20T07:05:59Z"), try time("2026-11-20T07:06:00Z"))
    #expect(PageZone.utc.span(from: from, to: soon) == "2026-11-20 07:05:12 to 07:05:59 UTC")
    #expect(
      zone.span(from: from, to: soon)
        == "2026-11-20 08:05:12 to 08:05:59 CET (07:05:12 to 07:05:59 UTC)")
    #expect(PageZone.utc.span(from: from, to: later) == "2026-11-20 07:05 to 07:06 UTC")
    #expect(PageZone(PageZone.Offset(name: "-03", secondsFromUTC: -10_800)).name == "UTC-03")
    let east = PageZone(PageZone.Offset(name: "+1245", secondsFromUTC: 45_900))
    #expect(
      east.span(from: from, to: to) == "2026-11-20 19:50 to 20:50 UTC+1245 (07:05 to 08:05 UTC)")
    let last = Timestamp(nanosecondsSince1970: .max)
    #expect(east.local(last) == last)
  }

  /// Summer time of 2026 in Central Europe.
  private func european(_ time: Timestamp) -> PageZone.Offset {
    (1_774_746_000..<1_792_890_000).contains(time.secondsSince1970)
      ? PageZone.Offset(name: "CEST", secondsFromUTC: 7200) : offset
  }

  @Test func `have the offset of their moment when summer time begins`() throws {
    let (from, to) = (try time("2026-03-28T22:05:00Z"), try time("2026-03-29T07:05:00Z"))
    let zone = PageZone(from: from, to: to, offset: european)
    #expect(zone.name == "CET and CEST")
    #expect(zone.text(try time("2026-03-29T00:59:59Z")) == "2026-03-29 01:59:59 CET")
    #expect(zone.text(try time("2026-03-29T01:00:00Z")) == "2026-03-29 03:00:00 CEST")
    #expect(
      zone.span(from: from, to: to)
        == "2026-03-28 23:05 CET to 2026-03-29 09:05 CEST (22:05 to 2026-03-29 07:05 UTC)"
    )
    let axis = TimeAxis(length: 32_400, beginning: from, in: zone, from: 0, to: 100)
    #expect(axis.ticks.map(\.label) == ["00:00", "03:00", "05:00", "07:00", "09:00"])
    #expect(axis.ticks.map(\.seconds) == [3300, 10_500, 17_700, 24_900, 32_100])
    #expect(axis.text(32_400) == "09:05:00")
    #expect(axis.unit == "CET and CEST, 2026-03-29")
  }

  @Test func `have the offset of their moment through all changes of a year`() throws {
    let (from, to) = (try time("2026-01-01T00:00:00Z"), try time("2026-12-31T00:00:00Z"))
    let zone = PageZone(from: from, to: to, offset: european)
    #expect(zone.text(try time("2026-10-25T00:59:59Z")) == "2026-10-25 02:59:59 CEST")
    #expect(zone.text(try time("2026-10-25T01:00:00Z")) == "2026-10-25 02:00:00 CET")
    #expect(zone.text(to) == "2026-12-31 01:00:00 CET")
    #expect(
      zone.span(from: from, to: to)
        == "2026-01-01 01:00 to 2026-12-31 01:00 CET (00:00 to 2026-12-31 00:00 UTC)")
    #expect(PageZone(from: to, to: from, offset: european) == PageZone(offset))
    let all = PageZone(
      from: Timestamp(nanosecondsSince1970: .min), to: Timestamp(nanosecondsSince1970: .max),
      offset: { _ in offset })
    #expect(all == PageZone(offset))
  }

  @Test func `are local on every axis and in every table`() {
    var report = LocationReport(countsFigures: true)
    let start = 1_795_158_000
    for second in 0..<100 {
      let moment = Moment(uptime: .seconds(second))
      let time = Timestamp(secondsSince1970: Int64(start + second))
      if second == 0 || second == 99 {
        report.add(
          .state(
            StateChange(
              second == 0 ? .fix3D : .lost, of: .receiver("a"), loss: second == 0 ? nil : .noFix,
              time: time, at: moment)), at: moment)
      }
      var fix = LocationFix(
        coordinate: Coordinate(latitude: 48 + Double(second) / 10_000, longitude: 11)!,
        mode: .fix3D,
        device: "a", time: time)
      fix[.eph] = 3
      if second < 99 { report.add(.fix(fix), at: moment) }
    }
    report.end(at: Moment(uptime: .seconds(110)))
    let page = ReportPage.text(of: [SourceReport(nil, report)], zone: { _ in offset }).string
    #expect(page.contains(">CET, 2026-11-20</text>") && !page.contains(">UTC,"))
    #expect(page.contains("<td data-l=\"start\">2026-11-20 08:00:"))
    #expect(page.contains("<th scope=\"row\">2026-11-20 08:01:39</th>"))
    #expect(page.contains(">2026-11-20 08:00 to 08:01 CET (07:00 to 07:01 UTC)</p>"))
    #expect(page.contains("Times are in CET."))
  }
}
