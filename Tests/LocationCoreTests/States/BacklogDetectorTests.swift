import Testing

@testable import LocationCore

@Suite struct `BacklogDetector of fixes` {
  private typealias Judgement = BacklogDetector.Judgement

  private let late = Judgement(isCurrent: false)
  private let current = Judgement()
  private var backlog = BacklogDetector()

  private mutating func judge(_ pairs: [(time: Double?, moment: Double)]) -> [Judgement] {
    pairs.map { pair in
      backlog.judge(
        pair.time.map(Reports.time), at: Reports.moment(pair.moment), limit: .seconds(5))
    }
  }

  @Test mutating func `the first fix is current, whatever its time`() {
    #expect(judge([(-100_000, 0)]) == [current])
  }

  @Test mutating func `without a time everything is current`() {
    #expect(judge([(0, 0), (nil, 100), (nil, 200)]) == Array(repeating: current, count: 3))
  }

  @Test mutating func `a delay up to the limit is current, and one above is late`() {
    #expect(judge([(0, 0), (1, 6), (2, 7.2)]) == [current, current, late])
  }

  @Test mutating func `a backlog is late until it has caught up`() {
    #expect(
      judge([(0, 0), (1, 60), (2, 60), (54, 60), (55, 60), (56, 60)])
        == [current, late, late, late, current, current])
  }

  @Test(arguments: [-3600.0, -20, 20, 3600, 631_152_000])
  mutating func `a jump is reported once, and is current`(jump: Double) {
    #expect(
      judge([(0, 0), (1, 1), (2 + jump, 2), (3 + jump, 3)])
        == [current, current, Judgement(jump: .seconds(Int(jump))), current])
  }

  @Test mutating func `the age decides where the clocks are the same`() {
    backlog = BacklogDetector(sharesClock: true)
    let times = [-60.0, -5.001, -5, 0, -60, 100, 0]
    let judgements = times.map { time in
      let moment = Moment(uptime: .seconds(1000), wall: Reports.time(0))
      return backlog.judge(Reports.time(time), at: moment, limit: .seconds(5))
    }
    #expect(judgements == [late, late, current, current, late, current, current])
    // Without a time of day, nothing but the delays is known.
    #expect(judge([(-60, 0), (1, 1)]) == [current, Judgement(jump: .seconds(60))])
  }

  @Test mutating func `drift is no backlog`() {
    // One part in a thousand: 10 s in what is judged here, and far more than a clock does.
    let pairs: [(time: Double?, moment: Double)] = (0...10_000).map { second in
      (Double(second), Double(second) * 1.001)
    }
    let current = current
    #expect(judge(pairs).allSatisfy { $0 == current })
  }
}
