import LocationCore
import Testing

@Suite struct `GPS counts its weeks from zero again` {
  private static let day: Int64 = 86_400
  private static let now = Timestamp(iso8601: "2026-11-20T07:05:12.000Z")!

  private static func early(_ days: Int64, seconds: Int64 = 0) -> Timestamp {
    now.advanced(by: .seconds(-days * day - seconds))
  }

  private static let dates: [(time: Timestamp, rollover: Int?)] = [
    (now, nil), (early(0, seconds: 1), nil), (early(365), nil), (early(7160), nil),
    (early(7161), nil), (early(7161, seconds: 1), 1), (early(7168), 1),
    (early(7174, seconds: 86_399), 1), (early(7175), nil), (early(14_336), 2),
    (early(14_336 - 7, seconds: 1), 2), (early(-7168), -1), (early(-7175), nil),
    (early(-7161, seconds: -1), -1), (early(-7161), nil), (early(3584), nil),
    (Timestamp(nanosecondsSince1970: .min), nil), (Timestamp(nanosecondsSince1970: .max), nil),
  ]

  @Test(arguments: dates)
  func `so old firmware is off by a multiple of 1,024 of them`(time: Timestamp, rollover: Int?) {
    var fix = LocationFix(
      coordinate: Coordinate(latitude: 1, longitude: 2)!, mode: .fix3D, time: time)
    #expect(fix.rollover == nil)
    fix.received = Self.now
    #expect(fix.rollover == rollover)
    fix.time = nil
    #expect(fix.rollover == nil)
  }

  @Test func `but a date from 2020 on may be right, and the clock wrong`() throws {
    let release = try #require(Timestamp(iso8601: "2020-01-01T00:00:00.000Z"))
    let later = release.advanced(by: .seconds(7168 * Self.day))
    #expect(release.rollovers(to: later) == 1 && release.rollovers(toClock: later) == nil)
    let before = release.advanced(by: .nanoseconds(-1))
    #expect(before.rollovers(toClock: later) == 1)
    #expect(later.rollovers(toClock: release) == -1)
    #expect(later.rollovers(toClock: before) == nil)
    var fix = LocationFix(
      coordinate: Coordinate(latitude: 1, longitude: 2)!, mode: .fix3D, time: Self.now)
    fix.received = Self.early(-7168)
    #expect(fix.rollover == nil)
  }

  @Test(arguments: [("2020-01-01T00:00:00.000Z", 1), ("2019-12-31T23:59:59.000Z", nil)])
  func `but a clock that was never set shows nothing`(clock: String, rollover: Int?) throws {
    let clock = try #require(Timestamp(iso8601: clock))
    var fix = LocationFix(coordinate: Coordinate(latitude: 1, longitude: 2)!, mode: .fix3D)
    fix.received = clock
    fix.time = clock.advanced(by: .seconds(-7168 * Self.day))
    #expect(fix.rollover == rollover)
  }
}
