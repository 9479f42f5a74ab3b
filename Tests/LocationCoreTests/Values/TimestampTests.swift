import Testing

@testable import LocationCore

/// Fault 77.
@Suite struct `Timestamps` {
  private func parsed(_ text: String) -> Timestamp? { Timestamp(iso8601: Array(text.utf8).span) }

  private func written(_ timestamp: Timestamp) -> String {
    var bytes: [UInt8] = []
    timestamp.appendISO8601(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00.000Z", 0), ("2026-11-20T07:05:12.310Z", 1_795_158_312_310_000_000),
    ("1969-12-31T23:59:59.999Z", -1_000_000),
    ("2000-02-29T12:00:00.000123Z", 951_825_600_000_123_000),
    ("1999-12-31T23:59:59.000000001Z", 946_684_799_000_000_001),
    ("2262-04-11T23:47:16.854775807Z", Int64.max), ("1677-09-21T00:12:43.145224192Z", Int64.min),
  ])
  func `are read and written to the nanosecond`(text: String, nanoseconds: Int64) {
    #expect(parsed(text) == Timestamp(nanosecondsSince1970: nanoseconds))
    #expect(written(Timestamp(nanosecondsSince1970: nanoseconds)) == text)
  }

  @Test(arguments: [
    ("2026-11-20T07:05:12Z", "2026-11-20T07:05:12.000Z"),
    ("2026-11-20T07:05:12.5Z", "2026-11-20T07:05:12.500Z"),
    ("2026-11-20T07:05:12.1234567891Z", "2026-11-20T07:05:12.123456789Z"),
    ("2016-12-31T23:59:60.000Z", "2017-01-01T00:00:00.000Z"),
  ])
  func `are read with any fraction and on a leap second`(text: String, same: String) {
    #expect(parsed(text).map(written) == same)
  }

  @Test(arguments: [
    "", "2026-11-20", "2026-11-20T07:05:12", "2026-11-20T07:05:12.Z", "2026-11-20 07:05:12Z",
    "2026-13-20T07:05:12Z", "2026-00-20T07:05:12Z", "2026-02-29T07:05:12Z", "2100-02-29T00:00:00Z",
    "2026-11-31T07:05:12Z", "2026-11-20T24:05:12Z", "2026-11-20T07:60:12Z", "2026-11-20T07:05:61Z",
    "2026-11-20T07:05:12+01:00", "2o26-11-20T07:05:12Z", "2026-11-20T07:05:12.3x1Z",
    "2262-04-11T23:47:16.854775808Z", "9999-12-31T23:59:59Z",
  ])
  func `are nothing else`(text: String) { #expect(parsed(text) == nil) }

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
