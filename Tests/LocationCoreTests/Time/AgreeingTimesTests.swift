import LocationCore
import Testing

/// Fault 132.
@Suite struct `The times of a receiver` {
  /// A time some seconds after 2026-11-20.
  private static func time(_ seconds: Int) -> Timestamp {
    Timestamp(nanosecondsSince1970: 1_795_132_800_000_000_000).later(by: .seconds(seconds))
  }

  /// Times, each with the second at which it came.
  private static func times(_ told: (Int, at: Int)...) -> AgreeingTimes {
    var times = AgreeingTimes()
    for (time, second) in told { times.record(self.time(time), at: .seconds(second)) }
    return times
  }

  private static let weeks = -1024 * 7 * 86_400

  @Test func `are believed after three that advance as the reception does`() {
    let two = Self.times((5, at: 0), (6, at: 1))
    #expect(two.longest == nil)
    let three = Self.times((5, at: 0), (6, at: 1), (8, at: 3))
    #expect(three.longest?.times == Self.time(5)...Self.time(8))
    #expect(three.longest?.length == .seconds(3))
  }

  @Test func `agree if they are up to 60 s apart, from one to the next`() {
    #expect(Self.times((0, at: 0), (60, at: 0), (0, at: 0)).eras.count == 1)
    #expect(Self.times((0, at: 0), (61, at: 0)).eras.count == 2)
    #expect(Self.times((0, at: 0), (-61, at: 0)).eras.count == 2)
    // Two clocks that drift apart.
    let drift = Self.times((0, at: 0), (1050, at: 1000), (2100, at: 2000), (3150, at: 3000))
    #expect(drift.eras.count == 1)
    #expect(drift.time(Self.time(0), at: .zero) == Self.time(0))
  }

  @Test func `count as reported until another one contradicts them`() {
    #expect(AgreeingTimes().time(nil, at: .zero) == nil)
    #expect(AgreeingTimes().time(Self.time(7), at: .zero) == Self.time(7))
    let one = Self.times((Self.weeks, at: 0))
    #expect(one.time(Self.time(Self.weeks), at: .zero) == Self.time(Self.weeks))
    let two = Self.times((Self.weeks, at: 0), (1, at: 1))
    #expect(two.time(Self.time(Self.weeks), at: .zero) == nil)
    #expect(two.time(Self.time(1), at: .seconds(1)) == nil)
  }

  @Test func `follow from the believed ones if others or none were reported`() {
    let times = Self.times((Self.weeks, at: 0), (1, at: 1), (2, at: 2), (3, at: 3))
    #expect(times.time(Self.time(Self.weeks), at: .zero) == Self.time(0))
    #expect(times.time(nil, at: .seconds(9)) == Self.time(9))
    #expect(times.time(Self.time(2), at: .seconds(2)) == Self.time(2))
    // Up to 60 s beyond the believed ones, a reported time counts as it is.
    #expect(times.time(Self.time(69), at: .seconds(9)) == Self.time(69))
    #expect(times.time(Self.time(70), at: .seconds(9)) == Self.time(9))
    #expect(times.time(Self.time(-51), at: .seconds(9)) == Self.time(-51))
    #expect(times.time(Self.time(-52), at: .seconds(9)) == Self.time(9))
  }

  @Test func `of two eras that are believed, the later one decides for missing times`() {
    let times = Self.times(
      (Self.weeks, at: 0), (Self.weeks + 1, at: 1), (Self.weeks + 5, at: 5), (6, at: 6),
      (7, at: 7), (8, at: 8))
    #expect(times.longest?.times.lowerBound == Self.time(Self.weeks))
    #expect(times.time(Self.time(Self.weeks), at: .zero) == Self.time(Self.weeks))
    #expect(times.time(nil, at: .seconds(9)) == Self.time(9))
  }

  @Test func `are sixteen eras at most, of which the shortest gives way`() {
    var times = Self.times((0, at: 0), (1, at: 1))
    for era in 1...15 { times.record(Self.time(era * 1000), at: .seconds(2)) }
    times.record(Self.time(99_999), at: .seconds(3))
    #expect(times.eras.count == 16)
    #expect(times.eras.first?.times == Self.time(0)...Self.time(1))
    #expect(times.eras.last?.times == Self.time(99_999)...Self.time(99_999))
    #expect(!times.eras.contains { $0.times.lowerBound == Self.time(1000) })
  }

  @Test func `that are farther apart than ten minutes count as ten minutes`() {
    let times = Self.times((0, at: 0), (600, at: 600), (1201, at: 1201))
    #expect(times.longest?.length == .seconds(1200))
  }
}
