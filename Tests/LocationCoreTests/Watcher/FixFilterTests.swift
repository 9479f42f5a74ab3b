import Testing

@testable import LocationCore

@Suite struct `A filter of fixes by turns` {
  private func filter() -> FixFilter {
    var criteria = FixCriteria()
    criteria.interval = .seconds(5)
    criteria.intervalAtRest = .seconds(10)
    criteria.turn = 20
    return FixFilter(criteria)
  }

  /// The seconds of the fixes that are taken of a receiver at 1 Hz.
  private func taken(_ movement: [(speed: Double, track: Double)]) -> [Int] {
    var filter = filter()
    return movement.enumerated().compactMap { second, now in
      var fix = Reports.locationFix(Double(second))
      (fix.speed, fix.track) = (now.speed, now.track)
      let moment = Reports.moment(Double(second))
      guard filter.judge(fix, at: moment) == .wanted else { return nil }
      filter.recordTaken(fix, at: moment)
      return second
    }
  }

  @Test func `no turn is seen after a fix that was taken at rest`() {
    let north = [(5.0, 0.0)]
    let rest = Array(repeating: (0.0, 0.0), count: 10)
    // Taken at rest after 10 s, the receiver drives off to the east: its direction before the rest was another.
    let east = Array(repeating: (5.0, 90.0), count: 3)
    #expect(taken(north + rest + east) == [0, 10])
    // From its first direction on, turns count again.
    #expect(taken(north + rest + east + [(5, 111)]) == [0, 10, 14])
    // Without such a fix it is a turn.
    #expect(taken(north + rest.prefix(5) + east) == [0, 6])
  }
}
