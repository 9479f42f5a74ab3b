import LocationCore
import Testing

@Suite struct `A time in ISO 8601` {
  private func time(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    return Timestamp(iso8601: bytes.span)?.nanosecondsSince1970
  }

  private func text(_ nanoseconds: Int64) -> String {
    var bytes = Array(">".utf8)
    Timestamp(nanosecondsSince1970: nanoseconds).appendISO8601(to: &bytes)
    return String(decoding: bytes.dropFirst(), as: UTF8.self)
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.000Z", 0),
      ("1969-12-31T23:59:59.999Z", -1_000_000),
      ("2026-11-20T07:05:12.000Z", 1_795_158_312_000_000_000),
      ("2000-02-29T12:00:00.5Z", 951_825_600_500_000_000),
      ("2000-02-29T12:00:00.000123Z", 951_825_600_000_123_000),
      ("1999-12-31T23:59:59.000000001Z", 946_684_799_000_000_001),
      ("2016-12-31T23:59:60.250Z", 1_483_228_800_250_000_000),
      ("2024-02-29T00:00:00.123456789Z", 1_709_164_800_123_456_789),
      ("2024-02-29T00:00:00.1234567899999Z", 1_709_164_800_123_456_789),
      ("2262-04-11T23:47:16.854775807Z", .max), ("1677-09-21T00:12:43.145224192Z", .min),
    ] as [(String, Int64)])
  func `is read to the nanosecond`(text: String, nanoseconds: Int64) {
    #expect(time(text) == nanoseconds)
  }

  @Test(arguments: [
    "", "Z", "2026-11-20", "2026-11-20T07:05:12", "2026-11-20T07:05:12.Z", "2026-11-20 07:05:12Z",
    "2026-11-20T07:05:12.000", "2026-11-20T07:05:12.000z", "2026-11-20T07:05:12.00xZ",
    "2026-11-20T07:05:12,5Z", "2026-11-20T07:05:12+00:00", "2026-13-20T07:05:12Z",
    "2026-00-20T07:05:12Z", "2026-11-31T07:05:12Z", "2026-11-00T07:05:12Z", "2025-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z", "2026-11-20T24:00:00Z", "2026-11-20T07:60:12Z", "2026-11-20T07:05:61Z",
    "2100-02-29T00:00:00Z", "2026-11-20T07:05:12+01:00", "202a-11-20T07:05:12Z",
    "+026-11-20T07:05:12Z", "2026-1 -20T07:05:12Z",
    "2262-04-11T23:47:16.854775808Z", "1677-09-21T00:12:43.145224191Z", "9999-12-31T23:59:59Z",
    "0000-01-01T00:00:00Z", " 2026-11-20T07:05:12Z", "2026-11-20T07:05:12ZZ",
  ])
  func `is none where it is anything else`(text: String) {
    #expect(time(text) == nil)
  }

  @Test(
    arguments: [
      (1_795_158_312_000_000_000, "2026-11-20T07:05:12.000Z"), (0, "1970-01-01T00:00:00.000Z"),
      (-1, "1969-12-31T23:59:59.999999999Z"), (1_000, "1970-01-01T00:00:00.000001Z"),
      (1_234_000, "1970-01-01T00:00:00.001234Z"), (100, "1970-01-01T00:00:00.000000100Z"),
      (.max, "2262-04-11T23:47:16.854775807Z"), (.min, "1677-09-21T00:12:43.145224192Z"),
    ] as [(Int64, String)])
  func `is written with as many digits as it needs`(nanoseconds: Int64, expected: String) {
    #expect(text(nanoseconds) == expected)
  }

  @Test func `is the same after it was written and read, for every day from 1678 to 2261`() {
    let day: Int64 = 86_400_000_000_000
    for number in stride(from: -106_650 as Int64, through: 106_650, by: 1) {
      let nanoseconds = number * day + number * 1_234_567
      #expect(time(text(nanoseconds)) == nanoseconds)
    }
  }
}
