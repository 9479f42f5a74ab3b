import Testing

@testable import LocationCore

/// Fault 77.
@Suite struct `Timestamps` {
  @Test func `every day of 400 years comes back`() {
    let first = CivilDate(year: 1800, month: 1, day: 1).daysSince1970
    #expect(first == -62_091)
    #expect(
      (first..<first + 146_097).allSatisfy { CivilDate(daysSince1970: $0).daysSince1970 == $0 })
    #expect(CivilDate(daysSince1970: first + 146_097) == CivilDate(year: 2200, month: 1, day: 1))
  }

  @Test(
    arguments: [
      (0, 0, 0), (1, 5, 1_000_000_005), (-1, 999_999_999, -1), (9_223_372_036, 854_775_807, .max),
      (9_223_372_036, 854_775_808, .max), (9_223_372_037, 0, .max), (.max, .max, .max),
      (-9_223_372_036, -854_775_808, .min), (-9_223_372_037, 0, .min), (.min, 0, .min),
      (-9_223_372_037, 145_224_192, .min), (-9_223_372_037, 145_224_193, .min + 1),
    ] as [(Int64, Int32, Int64)])
  func `of seconds end where 64 bits end`(seconds: Int64, nanoseconds: Int32, sum: Int64) {
    #expect(
      Timestamp(secondsSince1970: seconds, nanoseconds: nanoseconds).nanosecondsSince1970 == sum)
  }

  @Test func `their distance ends where 64 bits end`() {
    let first = Timestamp(nanosecondsSince1970: .min)
    let last = Timestamp(nanosecondsSince1970: .max)
    #expect(first.duration(to: last) == .nanoseconds(Int64.max))
    #expect(last.duration(to: first) == .nanoseconds(Int64.min))
    #expect(last.advanced(by: .seconds(1)) == last)
    #expect(first.advanced(by: .seconds(-1)) == first)
    #expect(Duration.seconds(Int64.max).nanoseconds == .max)
    #expect(Duration.milliseconds(1500).inSeconds == 1.5)
  }
}
