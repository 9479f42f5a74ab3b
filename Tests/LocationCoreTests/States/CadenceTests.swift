import Testing

@testable import LocationCore

@Suite struct `Cadence of a receiver` {
  private var cadence = Cadence(limit: nil)

  private mutating func step(_ second: Double, at moment: Double? = nil) {
    cadence.step(to: Reports.time(second), at: Reports.moment(moment ?? second))
  }

  @Test mutating func `before it is known it is what the receiver announced, else 1 s`() {
    #expect(cadence.interval == .seconds(1))
    cadence.announce(.seconds(4))
    cadence.announce(nil)
    cadence.announce(.zero)
    #expect(cadence.interval == .seconds(4))
    #expect(cadence.limit == .seconds(12))
  }

  @Test mutating func `it is the smallest of the last four steps`() {
    for second in [0.0, 1, 2, 12, 22, 32] { step(second) }
    #expect(cadence.interval == .seconds(1))
    step(42)
    #expect(cadence.interval == .seconds(10))
  }

  @Test mutating func `it goes by the receiver's time where that moves, else by when it came`() {
    step(0, at: 0)
    step(2, at: 2.5)
    #expect(cadence.interval == .seconds(2))
    step(1, at: 3)
    #expect(cadence.interval == .milliseconds(500))
    cadence.step(to: nil, at: Reports.moment(3.25))
    #expect(cadence.interval == .milliseconds(500), "an epoch without a time is no measure")
  }

  @Test mutating func `a pause is no step`() {
    step(0)
    step(2)
    cadence.pause()
    step(2.1)
    #expect(cadence.interval == .seconds(2))
  }

  @Test(arguments: [(0.1, 5, 1), (1, 5, 3), (2, 6, 6), (60, 180, 180)])
  mutating func `the limits follow the interval`(interval: Double, limit: Int, stuckLimit: Int) {
    step(0)
    step(interval)
    #expect(cadence.limit == .seconds(limit))
    #expect(cadence.stuckLimit == .seconds(stuckLimit))
  }

  @Test mutating func `a fixed limit holds`() {
    cadence = Cadence(limit: .milliseconds(1500))
    step(0)
    step(10)
    #expect(cadence.limit == .milliseconds(1500))
  }
}
