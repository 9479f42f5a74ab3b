import Testing

@testable import LocationCore

@Suite struct `ReportInterval of a receiver` {
  private var reportInterval = ReportInterval(limit: nil)

  private mutating func step(_ second: Double, at moment: Double? = nil) {
    reportInterval.step(to: Reports.time(second), at: Reports.moment(moment ?? second))
  }

  @Test mutating func `before it is known it is what the receiver announced, else 1 s`() {
    #expect(reportInterval.interval == .seconds(1))
    reportInterval.announce(.seconds(4))
    reportInterval.announce(nil)
    reportInterval.announce(.zero)
    #expect(reportInterval.interval == .seconds(4))
    #expect(reportInterval.limit == .seconds(12))
  }

  @Test mutating func `it is the smallest of the last four steps`() {
    for second in [0.0, 1, 2, 7, 12, 17] { step(second) }
    #expect(reportInterval.interval == .seconds(1))
    step(22)
    #expect(reportInterval.interval == .seconds(5))
  }

  @Test mutating func `it goes by the receiver's time where that moves, else by when it came`() {
    step(0, at: 0)
    step(2, at: 2.5)
    #expect(reportInterval.interval == .seconds(2))
    step(1, at: 3)
    #expect(reportInterval.interval == .milliseconds(500))
    reportInterval.step(to: nil, at: Reports.moment(3.25))
    #expect(reportInterval.interval == .milliseconds(500), "it may be of the same epoch")
  }

  private mutating func timeless(at moment: Double) {
    reportInterval.step(to: nil, at: Reports.moment(moment))
  }

  @Test mutating func `it is measured without times, too, so that a slow receiver is not silent`() {
    for second in [0.0, 10, 20] { timeless(at: second) }
    #expect(reportInterval.interval == .seconds(10) && reportInterval.limit == .seconds(30))
    step(30)
    #expect(reportInterval.interval == .seconds(10))
    step(38)
    #expect(reportInterval.interval == .seconds(8))
  }

  @Test mutating func `reports without a time that are near to each other are of one epoch`() {
    for second in [0.0, 0.3, 0.899, 10, 10.3, 10.5, 20] { timeless(at: second) }
    #expect(reportInterval.interval == .seconds(10))
    timeless(at: 21)
    #expect(reportInterval.interval == .seconds(1))
  }

  @Test mutating func `a time that follows at once begins a step between times`() {
    timeless(at: 0)
    step(0.25)
    #expect(reportInterval.interval == .seconds(1))
    timeless(at: 2)
    #expect(reportInterval.interval == .milliseconds(1750))
    step(2.25)
    step(4.25)
    #expect(reportInterval.interval == .milliseconds(1750))
    for second in [6.25, 8.25, 10.25] { step(second) }
    #expect(reportInterval.interval == .seconds(2))
  }

  @Test mutating func `a pause is no step`() {
    step(0)
    step(2)
    reportInterval.pause()
    step(2.1)
    #expect(reportInterval.interval == .seconds(2))
  }

  @Test(arguments: [(0.1, 5, 1), (1, 5, 3), (2, 6, 6), (60, 180, 180)])
  mutating func `the limits follow the interval`(interval: Double, limit: Int, stuckLimit: Int) {
    step(0)
    step(interval)
    #expect(reportInterval.limit == .seconds(limit))
    #expect(reportInterval.stuckLimit == .seconds(stuckLimit))
  }

  @Test mutating func `a fixed limit holds`() {
    reportInterval = ReportInterval(limit: .milliseconds(1500))
    step(0)
    step(10)
    #expect(reportInterval.limit == .milliseconds(1500))
  }
}
