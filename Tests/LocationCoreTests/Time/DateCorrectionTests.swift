import Testing

@testable import LocationCore

@Suite struct `A correction of dates` {
  private static let turn = Duration.seconds(1024 * 7 * 86_400)

  /// Corrects a time that is early by some turns and late by some seconds; returns the turns that were added.
  private func corrected(
    _ correction: inout DateCorrection, early turns: Int, late: Double = 0
  ) -> Int? {
    let clock = Reports.time(0)
    var time: Timestamp? = clock.advanced(by: .zero - Self.turn * turns - .seconds(late))
    let before = time
    let count = correction.correct(&time, by: clock)
    #expect(time == before?.advanced(by: Self.turn * (count ?? 0)))
    return count
  }

  @Test(
    arguments: [
      (1, 0.0, 1), (2, 0, 2), (3, 5, 3), (-1, 0, -1), (1, 5.01, nil), (1, -0.9, 1), (1, -0.91, nil),
      (0, 0, nil), (4, 0, nil), (1, 86_400, nil),
    ] as [(Int, Double, Int?)])
  func `adds what is missing, if the rest agrees to within seconds`(
    turns: Int, late: Double, count: Int?
  ) {
    var correction = DateCorrection { 0 }
    #expect(corrected(&correction, early: turns, late: late) == count)
  }

  @Test func `trusts a clock by as much as it can be wrong, and not one that nobody keeps`() {
    var wide = DateCorrection { 2 }
    #expect(corrected(&wide, early: 1, late: 7) == 1)
    var unkept = DateCorrection { nil }
    #expect(corrected(&unkept, early: 1) == nil)
  }

  @Test func `corrects late reports once it knows what is missing`() {
    var correction = DateCorrection { 0 }
    #expect(corrected(&correction, early: 1, late: 3600) == nil)
    #expect(corrected(&correction, early: 1) == 1)
    #expect(corrected(&correction, early: 1, late: 3600) == 1)
    #expect(corrected(&correction, early: 2, late: 3600) == nil)
    #expect(corrected(&correction, early: 0, late: 3600) == nil)
    // What was not corrected is not remembered, and what was replaces what was known.
    #expect(corrected(&correction, early: 1, late: 3600) == 1)
    #expect(corrected(&correction, early: 2) == 2)
    #expect(corrected(&correction, early: 2, late: 3600) == 2)
    #expect(corrected(&correction, early: 1, late: 3600) == nil)
  }

  @Test func `needs a time, and a clock that was set`() {
    var correction = DateCorrection { 0 }
    var time: Timestamp?
    #expect(correction.correct(&time, by: Reports.time(0)) == nil && time == nil)
    time = Reports.time(0)
    #expect(correction.correct(&time, by: nil) == nil)
    let early = Timestamp(secondsSince1970: 1_500_000_000)
    time = early.advanced(by: .zero - Self.turn)
    #expect(correction.correct(&time, by: early) == nil)
    // The first moment of 2020.
    for (nanoseconds, expected) in [(-1, nil), (0, 1)] as [(Int64, Int?)] {
      let clock = Timestamp(secondsSince1970: 1_577_836_800, nanoseconds: Int32(nanoseconds))
      let told = clock.advanced(by: .zero - Self.turn)
      time = told
      let count = correction.correct(&time, by: clock)
      #expect(count == expected && time == (count == nil ? told : clock))
    }
  }

  @Test func `is learnt again for another source`() {
    var machine = ReceiverMachine(
      path: "a", origin: nil, staleAfter: nil, dates: DateCorrection { 0 })
    var queue = UpdateQueue()
    let now = Moment(uptime: .zero, wall: Reports.time(0))
    func isCorrected(late seconds: Double) -> Bool {
      var sky = SkyView(
        device: "a", time: Reports.time(-seconds).advanced(by: .zero - Self.turn), seen: 4)
      machine.correctDate(of: &sky, at: now)
      return sky.time == Reports.time(-seconds)
    }
    #expect(!isCorrected(late: 3600) && isCorrected(late: 0) && isCorrected(late: 3600))
    machine.changeSource(at: now, into: &queue)
    #expect(!isCorrected(late: 3600) && isCorrected(late: 0))
  }

  @Test func `is in each fix, and in the times of changes and skies`() {
    func at(_ second: Double) -> Moment {
      Moment(
        uptime: .milliseconds(Int64(second * 1000)), wall: Reports.time(second))
    }
    var machine = LinkMachine(staleAfter: nil, dates: DateCorrection { 0 })
    var queue = UpdateQueue()
    machine.handle(
      .noFix(NoFix(device: "a", time: Reports.time(0).advanced(by: .zero - Self.turn))),
      at: at(0), into: &queue)
    machine.handle(
      .sky(SkyView(device: "a", time: Reports.time(0).advanced(by: .zero - Self.turn), seen: 4)),
      at: at(0.1), into: &queue)
    var fix = Reports.locationFix(1)
    fix.time = Reports.time(1).advanced(by: .zero - Self.turn)
    machine.handle(.fix(fix), at: at(1), into: &queue)
    var updates: [LocationUpdate] = []
    while let (update, _) = queue.take() { updates.append(update) }
    guard updates.count == 4, case .state(let searching) = updates[0],
      case .event(.sky(let sky)) = updates[1], case .state(let found) = updates[2],
      case .fix(let corrected) = updates[3]
    else { return #expect(Bool(false), "\(updates)") }
    #expect(searching.time == Reports.time(0) && sky.time == Reports.time(0))
    #expect(found.time == Reports.time(1) && corrected.time == Reports.time(1))
    #expect(corrected.dateCorrection == 1 && corrected.rollover == nil)
  }
}
