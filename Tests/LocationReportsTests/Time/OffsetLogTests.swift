import LocationCore
import Testing

@testable import LocationReports

@Suite struct `Offsets of a clock` {
  private func log(_ offsets: [Double]) -> (log: OffsetLog, steps: [Double]) {
    var log = OffsetLog()
    var steps: [Double] = []
    for offset in offsets { if let step = log.add(offset) { steps.append(step) } }
    return (log, steps)
  }

  @Test func `have a median, and a distance from it that contains 95 %`() throws {
    // 0.150 to 0.189 s, and one that is late: the median is the 20th of 40 values.
    let (log, steps) = log((0..<39).map { 0.15 + Double($0) / 1000 } + [0.4])
    let spread = try #require(log.spread)
    #expect(steps == [] && spread.count == 40)
    #expect(abs(spread.median.inSeconds - 0.169) < 1e-9)
    // The 38th of the distances 0, 1, 1, 2, 2 … 19, 19, 231 ms.
    #expect(abs(try #require(spread.within95).inSeconds - 0.019) < 1e-9)
  }

  @Test(arguments: [(19, false), (20, true)])
  func `have that distance from 20 offsets on`(count: Int, isKnown: Bool) throws {
    let spread = log(Array(repeating: 0.25, count: count)).log.spread
    #expect(spread?.median == .milliseconds(250) && spread?.count == count)
    #expect(spread?.within95 == (isKnown ? .zero : nil))
  }

  @Test func `are unknown at first, and if they are absurd`() {
    let (log, steps) = log([.nan, .infinity, 1e12])
    #expect(log.spread == nil && log.histogram == nil && log.count == 0 && steps == [])
  }

  @Test func `start again when the clock was set`() throws {
    let (log, steps) = log([0.1, 0.1, 3.1, 3.15, 3.2])
    #expect(steps.count == 1 && abs(steps[0] - 3) < 1e-9)
    #expect(log.count == 3 && log.spread?.median == .seconds(3.15))
    // A late one after it is late, and no setting of the clock.
    let (late, once) = self.log([0.1, 0.1, 3.1, 3.15, 9, 3.2, 3.2])
    #expect(once.count == 1 && late.count == 5)
    let (back, backward) = self.log([0.75, 0.25, 0.24])
    #expect(backward.count == 1 && abs(backward[0] + 0.5) < 1e-9 && back.count == 2)
  }

  @Test func `count a late one among them`() throws {
    let (log, steps) = log([0.1, 0.1, 0.7, 0.1, 0.59])
    #expect(steps == [] && log.count == 5)
    // Two that are late by different times are not a clock that was set.
    let (others, none) = self.log([0.1, 0.7, 1.3, 0.1])
    #expect(none == [] && others.count == 4)
    // By half a second they are as different as by two.
    let (halves, still) = self.log([0, 1, 1.5, 0])
    #expect(still == [] && halves.count == 4)
    let (near, set) = self.log([0, 1, 1.499])
    #expect(set == [1] && near.count == 2)
  }

  @Test func `are thinned out evenly beyond 4,096`() throws {
    let (log, _) = log((0..<100_000).map { Double($0 % 100) / 1000 })
    let spread = try #require(log.spread)
    #expect(spread.count == 100_000 && abs(spread.median.inSeconds - 0.049) < 0.002)
    let counted = { (count: Int) in
      self.log((0..<count).map { Double($0 % 2) / 1000 }).log.histogram?.counts.reduce(0, +)
    }
    #expect(counted(4096) == 4096 && counted(4097) == 2049)
  }

  @Test func `have a histogram about the median, twice as wide as the distance of most`() throws {
    let histogram = try #require(
      log((0..<40).map { 0.15 + Double($0 % 5) / 1000 } + [0.4]).log.histogram)
    #expect(abs(histogram.range - 0.005) < 1e-12)
    #expect(histogram.outside == 1 && histogram.counts.reduce(0, +) == 40)
    let even = try #require(log([0.1, 0.1]).log.histogram)
    #expect(abs(even.range - 1e-9) < 1e-15 && even.counts.reduce(0, +) == 2)
  }
}
