import Testing

@testable import LocationCore

@Suite struct `Moments` {
  private let noon = Timestamp(secondsSince1970: 43_200)

  @Test func `are ordered and apart by uptime, whatever the time of day`() {
    let earlier = Moment(uptime: .seconds(5), wall: noon)
    let later = Moment(uptime: .seconds(8), wall: noon.advanced(by: .seconds(-3600)))
    #expect(earlier < later)
    #expect(earlier.duration(to: later) == .seconds(3))
    #expect(later.duration(to: earlier) == .seconds(-3))
  }

  /// Of any two, one is earlier or both are equal.
  @Test func `of one uptime are equal, whatever the time of day`() {
    let walls = [nil, noon, noon.advanced(by: .nanoseconds(1)), noon.advanced(by: .seconds(-9))]
    let moments = (5...7).flatMap { uptime in
      walls.map { Moment(uptime: .seconds(uptime), wall: $0) }
    }
    for (index, moment) in moments.enumerated() {
      for (other, another) in moments.enumerated() {
        let (uptime, otherUptime) = (index / walls.count, other / walls.count)
        #expect((moment < another) == (uptime < otherUptime))
        #expect((moment == another) == (uptime == otherUptime))
        #expect((moment <= another) == (uptime <= otherUptime))
      }
    }
    #expect(Set(moments).count == 3)
  }

  @Test func `advance by both clocks`() {
    let moment = Moment(uptime: .seconds(5), wall: noon).advanced(by: .milliseconds(1500))
    #expect(moment.uptime == .milliseconds(6500))
    #expect(moment.wall == Timestamp(secondsSince1970: 43_201, nanoseconds: 500_000_000))
  }

  @Test(arguments: [0, 1, -1, 1_500_000_000, -2_999_999_999, 1_800_000_000_123_456_789, .max, .min])
  func `are apart by the same number of seconds as durations are`(nanoseconds: Int64) {
    let apart = Nanoseconds(nanoseconds)
    #expect(apart.inSeconds == apart.duration.inSeconds)
  }

  @Test func `end where 64 bits end`() {
    let end = Moment(uptime: .seconds(5)).advanced(by: .seconds(Int64.max))
    #expect(end.uptimeNanoseconds == .max)
    #expect(Moment.past.advanced(by: .seconds(-1)) == .past)
    #expect(Moment.past < Moment(uptime: .seconds(-1_000_000)))
    let longest = Duration.seconds(Int64.max) * 10
    #expect(Moment(uptime: longest).uptimeNanoseconds == .max)
    #expect(Moment(uptime: longest * -1) == .past)
    #expect(
      Moment(uptime: .zero, wall: noon).advanced(by: longest).wall?.nanosecondsSince1970 == .max)
    #expect(Moment.past.duration(to: Moment(uptime: longest)) == .nanoseconds(Int64.max))
  }

  @Test func `the earlier of two is either, or the only one`() {
    let early = Moment(uptime: .seconds(1))
    let late = Moment(uptime: .seconds(2))
    #expect(early.earlier(of: late) == early)
    #expect(late.earlier(of: early) == early)
    #expect(late.earlier(of: nil) == late)
  }

  @Test func `the live clock counts and knows the time of day`() throws {
    let first = LocationClock.live.now
    let second = LocationClock.live.now
    #expect(first <= second)
    #expect(try #require(first.wall) > Timestamp(secondsSince1970: 1_750_000_000))
  }
}
