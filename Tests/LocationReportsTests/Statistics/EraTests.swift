import LocationCore
import LocationSamples
import Testing

@testable import LocationReports

@Suite struct `A report of a receiver whose date jumps` {
  private let week: Int64 = 7 * 86_400

  private func time(_ week: Int64, _ second: Int64) -> Timestamp {
    Timestamp(secondsSince1970: 1_700_000_000 + week * self.week + second)
  }

  /// A view of the sky and a fix a second, whose dates are weeks off.
  ///
  /// - Parameter isReceived: Whether it is known when each fix came.
  private func report(
    _ weeks: [(sky: Int64?, fix: Int64)], isReceived: Bool = false
  ) -> LocationReport {
    var report = LocationReport()
    for (second, off) in weeks.enumerated() {
      let moment = Moment.start.advanced(by: .seconds(second))
      if let sky = off.sky {
        report.add(
          .event(.sky(SkyView(device: "a", time: time(sky, Int64(second)), satellites: []))),
          at: moment)
      }
      var fix = LocationFix(
        coordinate: Coordinate(latitude: 48, longitude: 11.5)!, mode: .fix3D, device: "a",
        time: time(off.fix, Int64(second)))
      if isReceived { fix.received = time(0, Int64(second)) }
      report.add(.fix(fix), at: moment)
    }
    report.end(at: .start.advanced(by: .seconds(weeks.count)))
    return report
  }

  @Test func `has an era for each count of weeks`() throws {
    let report = report([(-1024, -1024), (-1024, 0), (nil, 0), (0, -1024)])
    let receiver = try #require(report.receivers.first)
    #expect(
      receiver.eras == [
        .init(from: time(-1024, 0), to: time(-1024, 3), count: 4),
        .init(from: time(0, 1), to: time(0, 3), count: 3),
      ])
    let sentence =
      "The dates belong to different eras: 2004-03-30 (4) and 2023-11-14 (3). The receiver did "
      + "not know the date for a while, or miscounted the weeks."
    #expect(report.text().contains("  \(sentence)\n"))
    #expect(
      report.json().contains(
        #","eras":[{"from":"2004-03-30T22:13:20.000Z","to":"2004-03-30T22:13:23.000Z","count":4},{"from":"2023-11-14T22:13:21.000Z","to":"2023-11-14T22:13:23.000Z","count":3}]"#
      ))
    #expect(
      report.page()
        .contains("The dates belong to different eras: 2004-03-30 (4) and 2023-11-14 (3)."))
  }

  @Test func `says that dates are 1,024 weeks off, according to their receive times`() throws {
    let early = report([(nil, -1024), (nil, -1024)], isReceived: true)
    let sentence = "The dates are 1,024 weeks too early; positions are not affected."
    #expect(early.text().contains("  \(sentence)\n") && early.page().contains(sentence))
    #expect(
      early.json().contains(
        #","eras":[{"from":"2004-03-30T22:13:20.000Z","to":"2004-03-30T22:13:21.000Z","count":2,"rollover":1}]"#
      ))
    let both = report([(nil, 0), (nil, 2048)], isReceived: true)
    #expect(
      ReportText.eras(of: both.receivers[0])?.hasPrefix(
        "The dates belong to different eras: 2023-11-14 (1) and 2063-02-13 (1, 2,048 weeks too late)."
      )
        == true)
  }

  @Test func `says nothing about early dates if their receive times are unknown`() throws {
    let early = report([(-1024, -1024), (nil, -1024)])
    #expect(early.receivers[0].eras == [.init(from: time(-1024, 0), to: time(-1024, 1), count: 3)])
    #expect(early.receivers[0].eras[0].rollover == nil)
    #expect(ReportText.eras(of: early.receivers[0]) == nil)
    for form in [early.text(), early.json(), early.page()] {
      #expect(["weeks", "rollover", "\"eras\"", " eras"].allSatisfy { !form.contains($0) })
    }
    #expect(early.receivers[0].from == time(-1024, 0))
  }

  @Test func `says nothing about a single era, however long`() throws {
    let report = report([(0, 0), (51, 102), (nil, 153), (nil, -51)])
    #expect(report.receivers[0].eras == [.init(from: time(-51, 3), to: time(153, 2), count: 6)])
    #expect(!report.text().contains("eras") && !report.json().contains("eras"))
    #expect(ReportText.eras(of: report.receivers[0]) == nil)
  }

  @Test(arguments: [52, -52] as [Int64])
  func `has another era for dates 52 weeks later or earlier`(weeks: Int64) {
    // Of the sky of the second before, or of the fix of the one after.
    #expect(report([(nil, 0), (nil, weeks)]).receivers[0].eras.count == (weeks > 0 ? 2 : 1))
    #expect(report([(nil, weeks), (nil, 0)]).receivers[0].eras.count == (weeks > 0 ? 1 : 2))
  }

  @Test func `knows the dates of transitions, too`() {
    var report = LocationReport()
    for (second, week) in [Int64(-700), 0].enumerated() {
      let moment = Moment.start.advanced(by: .seconds(second))
      let change = StateChange(
        second == 0 ? .searching : .fix3D, of: .receiver("a"), time: time(week, 0), at: moment)
      report.add(.state(change), at: moment)
    }
    #expect(report.receivers[0].eras.map(\.from) == [time(-700, 0), time(0, 0)])
  }

  @Test func `names the first and the last day of each, and keeps eight`() {
    let report = report((0..<10).map { (nil, $0 * 600) } + [(nil, 1), (nil, 5401)])
    let eras = report.receivers[0].eras
    #expect(eras.map(\.count) == [2, 1, 1, 1, 1, 1, 1, 1])
    #expect(
      ReportText.eras(of: report.receivers[0])?.hasPrefix(
        "The dates belong to different eras: 2023-11-14 to 2023-11-21 (2), 2035-05-15 (1), ")
        == true)
  }
}
