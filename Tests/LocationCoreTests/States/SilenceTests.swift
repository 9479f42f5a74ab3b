import LocationCore
import Testing

/// When a receiver without a position is silent, and when it no longer is.
@Suite struct `Silence without a position` {
  private func sky(_ second: Double) -> (Double, LocationEvent) {
    (second, .sky(SkyView(device: "a", seen: 2, used: 0)))
  }

  private func searching(_ seconds: ClosedRange<Int>) -> [(Double, LocationEvent)] {
    seconds.map { (Double($0), Reports.noFix(Double($0))) }
  }

  @Test func `a receiver that searches for a while and reports no more is silent`() {
    var watch = Watch()
    #expect(
      watch.play(searching(0...3), until: 600) == [
        "0.0 a connecting > searching", "8.0 a searching > searching: silence",
      ])
    #expect(watch.deadline == nil)
    #expect(watch.play([(601, Reports.noFix(601))]) == ["601.0 a searching > searching"])
    #expect(watch.deadline == 606)
  }

  @Test func `a receiver with one list of satellites is silent 65 s later`() {
    var watch = Watch()
    #expect(
      watch.play([(0, Reports.receivers("a")), sky(0.5)], until: 116) == [
        "5.0 a connecting > searching", "65.5 a searching > searching: silence",
      ])
  }

  @Test func `a list of satellites before the receiver is announced counts for its silence`() {
    var watch = Watch(stale: .seconds(2))
    #expect(
      watch.play([sky(0), (9, Reports.receivers("a"))], until: 60) == [
        "11.0 a connecting > searching: silence"
      ])
  }

  @Test func `a receiver that lost its fix and reports no more is silent`() {
    var watch = Watch()
    #expect(
      watch.play(
        [(0, Reports.fix(0)), (1, Reports.noFix(1)), (2, Reports.noFix(2))], until: 60
      ).dropFirst(2) == ["1.0 a fix-3d > lost: no-fix", "7.0 a lost > lost: silence"])
    #expect(watch.play([(61, Reports.noFix(61))]) == ["61.0 a lost > lost: no-fix"])
    #expect(
      watch.play([(62, Reports.fix(62))]) == ["62.0 a lost > fix-3d", "62.0 a 3d 62.0"])
  }

  @Test func `satellites alone end a silence after a second, in which the position may follow`() {
    var watch = Watch()
    _ = watch.play(searching(0...3), until: 100)
    #expect(watch.play([sky(100)], until: 100.999) == [])
    #expect(
      watch.play([sky(101), sky(102)], until: 120) == [
        "101.0 a searching > searching", "107.0 a searching > searching: silence",
      ])
    #expect(
      watch.play([sky(130), (130.9, Reports.fix(130))], until: 131)
        == ["130.9 a searching > fix-3d", "130.9 a 3d 130.0"])
    _ = watch.play([(131, Reports.fix(131))], until: 140)
    #expect(watch.play([sky(140)], until: 141) == ["141.0 a lost > lost: no-fix"])
  }

  @Test func `a time that stands still ends a silence`() {
    var watch = Watch()
    _ = watch.play([(0, Reports.fix(0)), (1, Reports.fix(1))], until: 60)
    #expect(
      watch.play([(60, Reports.fix(1)), (61, Reports.fix(1))], until: 62)
        == ["60.0 a lost > lost: stuck"])
  }

  @Test(arguments: [0.5, 60]) func `a limit for fixes lengthens the wait, and does not shorten it`(
    stale: Double
  ) {
    var watch = Watch(stale: .seconds(stale))
    _ = watch.play(searching(0...3))
    #expect(watch.deadline == 3 + max(5, stale))
  }
}
