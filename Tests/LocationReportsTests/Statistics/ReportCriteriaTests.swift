import LocationCore
import Testing

@testable import LocationReports

@Suite struct `A report of the fixes that meet criteria` {
  private func at(_ second: Int) -> Moment { .start.advanced(by: .seconds(second)) }

  private func time(_ second: Int) -> Timestamp {
    Timestamp(secondsSince1970: 1_700_000_000 + Int64(second))
  }

  /// 20 s: ten fixes 3 m apart from the south to the north, an outage of 5 s, and five that stand. Each
  /// third is RTK fixed, and each second in 2D; the accuracy is 1 to 5 m.
  private func report(_ change: (inout FixCriteria) -> Void = { _ in }) -> ReceiverReport {
    var criteria = FixCriteria()
    change(&criteria)
    var report = LocationReport(reference: nil, countsFigures: true, criteria: criteria)
    for second in 0..<20 {
      if let state = [0: .fix3D, 10: .lost, 15: .fix3D][second] as LocationState? {
        report.add(
          .state(StateChange(state, of: .receiver("a"), time: time(second), at: at(second))),
          at: at(second))
      }
      guard !(10..<15).contains(second) else { continue }
      var fix = LocationFix(
        coordinate: Coordinate(
          latitude: 48 + Double(min(second, 9)) * 3 / 111_200, longitude: 11.5)!,
        mode: second % 2 == 0 ? .fix3D : .fix2D, device: "a", time: time(second))
      fix.quality = second % 3 == 0 ? .rtkFixed : .dgps
      fix[.eph] = Double(second % 5 + 1)
      fix.received = time(second).advanced(by: .milliseconds(100 + second))
      fix.satellitesUsed = second
      report.add(.fix(fix), at: at(second))
    }
    report.end(at: at(20))
    return report.receivers[0]
  }

  @Test func `counts only those fixes, and says how many others there are`() {
    let all = report()
    #expect(all.fixCount == 15 && all.fix3DCount == 7 && all.leftOutFixCount == 0)
    let fixed = report { $0.request.minimumQuality = .rtkFixed }
    // 0, 3, 6, 9, 15, 18
    #expect(fixed.fixCount == 6 && fixed.fix3DCount == 3 && fixed.leftOutFixCount == 9)
    #expect(fixed.scatter?.positionCount == 6 && fixed.interval?.median == .seconds(3))
    #expect(fixed.age == .init(median: .milliseconds(106), p99: nil))
    let flat = report { $0.request.minimumMode = .fix3D }
    #expect(flat.fixCount == 7 && flat.fix3DCount == 7 && flat.leftOutFixCount == 8)
    let accurate = report { $0.request.desiredAccuracy = 2 }
    // 0, 1, 5, 6, 15, 16
    #expect(accurate.fixCount == 6 && accurate.leftOutFixCount == 9)
    let spaced = report { $0.minMove = 7 }
    // 0, 3, 6, 9: the last five are where the last of these is.
    #expect(spaced.fixCount == 4 && spaced.leftOutFixCount == 11)
    let paced = report { $0.interval = .seconds(4) }
    // 0, 4, 8, 15, 19
    #expect(paced.fixCount == 5 && paced.leftOutFixCount == 10)
  }

  @Test func `has the states, outages and times of the receiver`() throws {
    let (all, none) = (report(), report { $0.request.desiredAccuracy = 0.5 })
    #expect(none.fixCount == 0 && none.leftOutFixCount == 15 && none.scatter == nil)
    #expect(none.interval == nil && none.age == nil)
    #expect(none.states == all.states && none.availability == 0.75)
    #expect(none.outages == all.outages && none.outageCount == 1 && none.firstFix == .zero)
    #expect(none.from == all.from && none.to == all.to && none.from == time(0))
    // The last position is that of the last fix, whether or not it counts.
    let outage = try #require(none.outages.first)
    #expect(outage.position?.latitude == 48 + 27 / 111_200.0 && outage.satellitesUsed == 9)
  }

  @Test func `draws the qualities of all fixes, and the values of those that count`() throws {
    let (all, fixed) = (report(), report { $0.request.minimumQuality = .rtkFixed })
    let (drawn, few) = (try #require(all.figures), try #require(fixed.figures))
    #expect(few.timeline == drawn.timeline && few.timeline.spans.count == 12)
    #expect(few.columns.extents(of: .accuracy)?.filter { !$0.isEmpty }.count == 6)
    #expect(drawn.columns.extents(of: .accuracy)?.filter { !$0.isEmpty }.count == 15)
    #expect(few.positions?.points.count == 6)
  }

  @Test func `includes intervals across fixes that do not count, but not across an outage`() {
    // 0, 3, 6, 9 and 15, 18: four steps of 3 s.
    var criteria = FixCriteria()
    criteria.request.minimumQuality = .rtkFixed
    let fixed = report { $0 = criteria }
    #expect(fixed.interval == .init(median: .seconds(3), p99: nil))
  }

  @Test func `ignores a fix that is not current`() {
    var criteria = FixCriteria()
    criteria.interval = .seconds(10)
    var report = LocationReport(reference: nil, countsFigures: false, criteria: criteria)
    for (second, isCurrent) in [(0, false), (5, true), (10, false), (16, true)] {
      var fix = LocationFix(
        coordinate: Coordinate(latitude: 1, longitude: 2)!, mode: .fix2D, time: time(second))
      fix.isCurrent = isCurrent
      report.add(.fix(fix), at: at(second))
    }
    #expect(
      report.receivers.map(\.fixCount) == [2] && report.receivers.map(\.leftOutFixCount) == [0])
  }
}
