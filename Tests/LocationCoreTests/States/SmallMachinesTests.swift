import Testing

@testable import LocationCore

@Suite struct `Recent times` {
  @Test func `hold the last 64`() {
    var recent = RecentTimes()
    for second in 0..<65 { recent.insert(Reports.time(Double(second))) }
    #expect(!recent.contains(Reports.time(0)))
    #expect((1..<65).allSatisfy { recent.contains(Reports.time(Double($0))) })
    #expect(!recent.contains(Reports.time(65)))
    #expect(!recent.contains(Reports.time(1.5)))
  }

  @Test func `hold a time that is earlier than the latest`() {
    var recent = RecentTimes()
    recent.insert(Reports.time(100))
    recent.insert(Reports.time(5))
    #expect(recent.contains(Reports.time(5)))
    #expect(!recent.contains(Reports.time(6)))
  }
}

@Suite struct `Sky summary` {
  @Test func `a report without satellites takes nothing away`() {
    var summary = SkySummary()
    summary.add(SkyView(seen: 12, used: 8, hdop: 1.3, vdop: 2, pdop: 2.4))
    summary.add(SkyView(hdop: 1.1))
    var fix = Reports.locationFix(0)
    summary.complete(&fix.values)
    var expected = Reports.locationFix(0)
    expected.satellitesSeen = 12
    expected.satellitesUsed = 8
    expected[.hdop] = 1.1
    expected[.vdop] = 2
    expected[.pdop] = 2.4
    #expect(fix == expected)
  }

  @Test func `an empty list is no satellites`() {
    var summary = SkySummary()
    summary.add(SkyView(seen: 12, used: 8))
    summary.add(SkyView(satellites: []))
    var fix = Reports.locationFix(0)
    summary.complete(&fix.values)
    #expect(fix.satellitesSeen == 0)
    #expect(fix.satellitesUsed == 0)
  }
}
