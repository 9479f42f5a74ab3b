import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchDoctor

@Suite struct `What people are told of fixes` {
  private func fix(_ second: Double, early weeks: Int, device: String = "/dev/a") -> LocationFix {
    var fix = LocationFix.scripted(second, device: device)
    fix.received = fix.time
    fix.time = fix.time?.advanced(by: .seconds(-weeks * 7 * 86_400))
    return fix
  }

  @Test func `is a date that is 1,024 weeks off, once, before the fix`() async throws {
    let run = try await WatchRun(
      [], .fixes([(0, fix(0, early: 0)), (1, fix(1, early: 1024)), (2, fix(2, early: 1024))]))
    #expect(
      run.messages == [
        "the date of /dev/a is 1,024 weeks too early, because its firmware is too old; "
          + "positions are not affected"
      ])
    #expect(run.fixes.map(\.rollover) == [nil, 1, 1])
  }

  @Test func `is a date that a clock 1,024 weeks ahead contradicts, and neither is blamed`() {
    var remarks = FixRemarks()
    var fix = LocationFix.scripted(0, device: "/dev/a")
    fix.received = fix.time?.advanced(by: .seconds(1024 * 7 * 86_400 + 3600))
    #expect(
      remarks.remarks(on: fix) == [
        "this machine's clock is 1,024 weeks too late by the date of /dev/a: one of the two is wrong"
      ])
    #expect(remarks.remarks(on: fix) == [])
  }

  @Test func `is once that the position was surveyed, if only the time is computed`() {
    var remarks = FixRemarks()
    var fix = fix(0, early: 0)
    #expect(remarks.remarks(on: fix) == [])
    fix.quality = .timeOnly
    #expect(
      remarks.remarks(on: fix) == [
        "/dev/a computes only the time and repeats its surveyed position"
      ])
    #expect(remarks.remarks(on: fix) == [])
  }

  @Test func `is once that a date lies after today`() {
    let now = Timestamp(iso8601: "2026-11-28T08:00:00Z")!
    func fix(_ time: String, received: String? = nil) -> LocationFix {
      var fix = LocationFix.scripted(0, device: "/dev/a")
      fix.time = Timestamp(iso8601: time)
      fix.received = received.flatMap { Timestamp(iso8601: $0) }
      return fix
    }
    var remarks = FixRemarks(now: now)
    #expect(remarks.remarks(on: fix("2026-11-29T08:00:00Z")) == [])
    let future = fix("2026-11-29T08:00:00.001Z")
    #expect(
      remarks.remarks(on: future) == [
        "the date of /dev/a, 2026-11-29, is wrong, or this machine's clock is: it lies after today, 2026-11-28"
      ])
    #expect(remarks.remarks(on: future) == [])
    // Whenever it was received. The number of weeks says more.
    var others = FixRemarks(now: now)
    #expect(
      others.remarks(on: fix("2046-07-14T08:00:00Z", received: "2026-11-28T08:00:00Z")).count == 1)
    #expect(
      others.remarks(on: fix("2046-07-06T08:00:00Z", received: "2046-07-06T08:00:00Z")).count == 1)
    var live = FixRemarks()
    #expect(live.remarks(on: future) == [])
  }

  @Test func `are simulation and date, each for itself`() {
    var remarks = FixRemarks()
    var both = fix(0, early: -2048)
    both.device = nil
    #expect(remarks.remarks(on: fix(0, early: 1)) == [])
    #expect(
      remarks.remarks(on: both) == [
        "the date of the receiver is 2,048 weeks too late, because its firmware is too old; "
          + "positions are not affected"
      ])
    both.quality = .simulated
    #expect(
      remarks.remarks(on: both) == ["SIMULATED: the receiver reports a simulated position"])
    #expect(remarks.remarks(on: both) == [])
  }
}
