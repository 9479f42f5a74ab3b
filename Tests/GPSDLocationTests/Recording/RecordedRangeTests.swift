import LocationCore
import Testing

@testable import GPSDLocation

@Suite struct `A part of a recording` {
  private func time(_ text: String) -> Timestamp { Timestamp(iso8601: "2026-11-20T\(text)Z")! }

  private func bound(_ text: String) -> RecordedRange.Bound { .time(time(text)) }

  @Test(arguments: [
    (23, 1, "2026-11-21T01:00:00Z"), (7, 24, "2026-11-21T00:00:00Z"),
    (7, 8, "2026-11-20T08:00:00Z"),
  ])
  func `ends on the next day if it ends at an earlier time of day`(
    from: Int, to: Int, end: String
  ) {
    func hour(_ hour: Int) -> RecordedRange.Bound { .timeOfDay(.seconds(hour * 3600)) }
    let range = RecordedRange(from: hour(from), to: hour(to))
    #expect(!range.isEmpty && RecordedRange(from: hour(from), to: hour(from)).isEmpty)
    #expect(range.inRecording(from: time("07:05:00")).end == Timestamp(iso8601: end))
  }

  @Test func `is of the first day in the zone of each of its ends`() {
    func hour(_ hour: Int, ahead zone: Int) -> RecordedRange.Bound {
      .timeOfDay(.seconds(hour * 3600), ahead: .seconds(zone * 3600))
    }
    func ends(
      _ from: RecordedRange.Bound, _ to: RecordedRange.Bound, first: String
    ) -> [Timestamp?] {
      let range = RecordedRange(from: from, to: to).inRecording(from: time(first))
      return [range.start, range.end]
    }
    func times(_ texts: String...) -> [Timestamp?] { texts.map { Timestamp(iso8601: $0) } }
    #expect(
      ends(hour(1, ahead: 2), hour(20, ahead: -5), first: "23:30:00")
        == times("2026-11-20T23:00:00Z", "2026-11-21T01:00:00Z"))
    // The day of the first zone has just begun, and the 19th is not over in the other.
    #expect(
      ends(hour(23, ahead: 14), hour(1, ahead: -12), first: "10:00:00")
        == times("2026-11-21T09:00:00Z", "2026-11-21T13:00:00Z"))
    #expect(RecordedRange(from: hour(10, ahead: 2), to: hour(8, ahead: 0)).isEmpty)
    #expect(!RecordedRange(from: hour(10, ahead: 2), to: hour(10, ahead: 0)).isEmpty)
  }

  @Test func `does not begin before what was passed, over which the clock was set`() {
    var cursor = RangeCursor(RecordedRange(from: bound("07:05:30")))
    func moment(_ seconds: Int) -> Moment { Moment(uptime: .seconds(seconds)) }
    #expect(cursor.place(time("07:05:00"), at: moment(0), isLine: true) == .before)
    #expect(cursor.place(time("07:05:04"), at: moment(4), isLine: true) == .before)
    #expect(cursor.place(time("07:10:00"), at: moment(6), isLine: true) == .inside)
    #expect(cursor.beginning == moment(4))
    var other = RangeCursor(RecordedRange(from: bound("07:05:05")))
    #expect(other.place(time("07:05:04"), at: moment(4), isLine: true) == .before)
    #expect(other.place(time("07:05:06"), at: moment(6), isLine: true) == .inside)
    #expect(other.beginning == moment(5))
  }

  @Test func `is empty if it ends before it begins`() {
    let (one, two) = (bound("07:00:00"), bound("08:00:00"))
    #expect(RecordedRange(from: two, to: one).isEmpty && RecordedRange(from: one, to: one).isEmpty)
    #expect(!RecordedRange(from: one, to: two).isEmpty && !RecordedRange(from: two).isEmpty)
    let (early, late) = (
      RecordedRange.Bound.timeOfDay(.zero), RecordedRange.Bound.timeOfDay(.seconds(1))
    )
    #expect(RecordedRange(from: late, to: late).isEmpty)
    #expect(
      !RecordedRange(from: late, to: early).isEmpty && !RecordedRange(from: early, to: late).isEmpty
    )
    #expect(!RecordedRange(from: one, to: early).isEmpty && RecordedRange().isWhole)
    #expect(!RecordedRange(to: one).isWhole && !RecordedRange(from: one).isWhole)
  }
}
