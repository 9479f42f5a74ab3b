import LocationCore
import Testing

/// How long a fix is current, and which one is not.
/// Faults 22, 25 and 94.
@Suite struct `Currency of fixes` {
  private func fixes(_ seconds: ClosedRange<Int>) -> [(Double, LocationEvent)] {
    seconds.map { (Double($0), Reports.fix(Double($0))) }
  }

  @Test func `silence is lost at --stale exactly`() {
    var watch = Watch(stale: .seconds(2))
    _ = watch.play(fixes(0...3))
    #expect(watch.deadline == 5)
    #expect(watch.play([], until: 4.999) == [])
    #expect(watch.play([], until: 5) == ["5.0 a fix-3d > lost: silence"])
    #expect(watch.deadline == nil)
  }

  /// Its machine has the same limit as the best one, and must not be ahead of it.
  @Test(arguments: [[], [(0, Reports.noFix(0, of: nil))]] as [[(Double, LocationEvent)]])
  func `the best of several sources has 0.1 s to change when one is silent`(
    before: [(Double, LocationEvent)]
  ) {
    var watch = Watch(stale: .seconds(5))
    _ = watch.play(before + [(0, .selected("bow", previous: nil)), (1, Reports.fix(1, of: nil))])
    #expect(watch.play([], until: 6.099) == [])
    #expect(
      watch.play([(6.1, .selected("stern", previous: "bow")), (6.1, Reports.fix(6, of: nil))])
        == ["6.1  selected bow > stern", "6.1  3d 6.0"])
    #expect(watch.play([], until: 11.2) == ["11.2  fix-3d > lost: silence"])
  }

  @Test(arguments: [(0.1, 5.0), (1.0, 5.0), (2.0, 6.0), (10.0, 30.0)])
  func `by default silence is the larger of 5 s and three intervals`(
    interval: Double, limit: Double
  ) {
    var watch = Watch()
    _ = watch.play((0...4).map { (Double($0) * interval, Reports.fix(Double($0) * interval)) })
    #expect(watch.deadline == 4 * interval + limit)
  }

  @Test(arguments: [1.0, 5, 10, 30, 60])
  func `the first interval of a receiver is no silence, nor is any other`(interval: Double) {
    var watch = Watch()
    // Each report is up to a second late.
    let told = watch.play(
      (0...6).map { number in
        let time = Double(number) * interval
        return (time + Double(number * 7 % 5) / 5, Reports.fix(time))
      })
    #expect(told.filter { $0.contains(">") } == ["0.0 a connecting > fix-3d"])
  }

  @Test func `silence after the first report is lost after 65 s, whatever gpsd announces`() {
    var watch = Watch()
    let receiver = Receiver(path: "a", cycle: .seconds(1))
    _ = watch.play([(0, .receivers([receiver])), (1, Reports.fix(1))])
    #expect(watch.play([], until: 65.999) == [])
    #expect(watch.play([], until: 66) == ["66.0 a fix-3d > lost: silence"])
    // The interval is known from then on, also after another connection began.
    _ = watch.play([(70, Reports.fix(70)), (71, Reports.fix(71))])
    #expect(watch.play([], until: 76) == ["76.0 a fix-3d > lost: silence"])
    _ = watch.fail(at: 80)
    _ = watch.play([(90, Reports.fix(90))])
    #expect(watch.play([], until: 95) == ["95.0 a fix-3d > lost: silence"])
    // A cycle of half a minute is believed.
    watch = Watch()
    _ = watch.play([
      (0, .receivers([Receiver(path: "a", cycle: .seconds(30))])), (0, Reports.fix(0)),
    ])
    #expect(watch.deadline == 90)
  }

  @Test func `an outage of the link is no interval, so the next fix is current for 65 s`() {
    var watch = Watch()
    _ = watch.play([(0, Reports.fix(0))])
    _ = watch.fail(at: 1)
    _ = watch.play([(300, Reports.fix(300))])
    #expect(watch.play([], until: 364.999) == [])
    #expect(watch.play([], until: 365) == ["365.0 a fix-3d > lost: silence"])
  }

  @Test func `a receiver that reports while it searches has shown its interval`() {
    var watch = Watch()
    _ = watch.play([(0, Reports.noFix(0)), (1, Reports.noFix(1)), (2, Reports.fix(2))])
    #expect(watch.deadline == 7)
  }

  @Test func `a report that arrives at the end of a silence is in time`() {
    var watch = Watch()
    _ = watch.play(fixes(0...3))
    #expect(watch.play([(8, Reports.fix(8))]) == ["8.0 a 3d 8.0"])
    #expect(
      watch.play([(13.001, Reports.fix(13))]) == [
        "13.0 a fix-3d > lost: silence", "13.001 a lost > fix-3d", "13.001 a 3d 13.0",
      ])
  }

  @Test func `what was due before a report comes before it, at its own moment`() {
    var watch = Watch()
    _ = watch.play(fixes(0...3))
    #expect(
      watch.play([(60, Reports.fix(60))]) == [
        "8.0 a fix-3d > lost: silence", "60.0 a lost > fix-3d", "60.0 a 3d 60.0",
      ])
  }

  @Test func `what is due for several receivers comes in the order of time`() {
    var watch = Watch(stale: .seconds(2))
    _ = watch.play([
      (0, Reports.fix(0, of: "a")), (0.5, Reports.fix(0.5, of: "b")), (1, Reports.fix(1, of: "a")),
    ])
    #expect(
      watch.play([], until: 60) == ["2.5 b fix-3d > lost: silence", "3.0 a fix-3d > lost: silence"])
  }

  @Test func `a time that stands still is lost after three intervals`() {
    var watch = Watch()
    _ = watch.play(fixes(0...4))
    let told = watch.play((5...9).map { (Double($0), Reports.fix(4)) })
    #expect(told == ["8.0 a fix-3d > lost: stuck"])
    #expect(watch.play([(11, Reports.fix(5))]) == ["11.0 a 3d 5.0 late"])
  }

  @Test func `a receiver that was stuck has a fix again when its time catches up`() {
    var watch = Watch()
    _ = watch.play(fixes(0...4) + (5...8).map { (Double($0), Reports.fix(4)) })
    #expect(watch.play([(9, Reports.fix(9))]) == ["9.0 a lost > fix-3d", "9.0 a 3d 9.0"])
  }

  @Test(arguments: [(-3600.0, "-3600.0"), (631_152_000.0, "631152000.0")])
  func `a jump of -1 h and of +20 years is flagged and delivered`(by jump: Double, told: String) {
    var watch = Watch()
    _ = watch.play(fixes(0...3))
    let times = (4...6).map { (Double($0), Reports.fix(Double($0) + jump)) }
    #expect(
      watch.play(times) == [
        "4.0 a 3d \(4 + jump) jumped \(told)", "5.0 a 3d \(5 + jump)", "6.0 a 3d \(6 + jump)",
      ])
  }

  @Test func `a backlog after a pause of 60 s is delivered and not current until it is through`() {
    var watch = Watch()
    _ = watch.play(fixes(0...3))
    let backlog = (4...63).map { (63.0, Reports.fix(Double($0))) }
    let told = watch.play(backlog + [(64, Reports.fix(64))])
    let late = (4...57).map { "63.0 a 3d \(Double($0)) late" }
    let current = (59...63).map { "63.0 a 3d \(Double($0))" }
    let expected: [String] =
      ["8.0 a fix-3d > lost: silence"] + late + ["63.0 a lost > fix-3d", "63.0 a 3d 58.0"] + current
      + ["64.0 a 3d 64.0"]
    #expect(told == expected)
  }

  @Test func `a clock that merely runs late is believed after three even steps`() {
    var watch = Watch()
    _ = watch.play(fixes(0...3))
    // The service slept for a minute and its receiver's time with it.
    let told = watch.play((64...69).map { (Double($0), Reports.fix(Double($0) - 30)) })
    #expect(
      told == [
        "8.0 a fix-3d > lost: silence", "64.0 a 3d 34.0 late", "65.0 a 3d 35.0 late",
        "66.0 a 3d 36.0 late", "67.0 a lost > fix-3d", "67.0 a 3d 37.0", "68.0 a 3d 38.0",
        "69.0 a 3d 39.0",
      ])
  }

  @Test func `an epoch that comes again is written once`() {
    var watch = Watch()
    _ = watch.play(fixes(0...3))
    #expect(watch.play([(3.5, Reports.fix(2)), (3.6, Reports.fix(3))]) == [])
  }

  /// POSIX time has no 23:59:60: it gives that second the time of the next one.
  @Test func `a leap second is one epoch with the second after it, and loses nothing`() {
    var watch = Watch()
    let told = watch.play([
      (0, Reports.fix(0)), (1, Reports.fix(1)), (2, Reports.fix(1)), (3, Reports.fix(2)),
      (4, Reports.fix(3)),
    ])
    #expect(
      told == [
        "0.0 a connecting > fix-3d", "0.0 a 3d 0.0", "1.0 a 3d 1.0", "3.0 a 3d 2.0",
        "4.0 a 3d 3.0",
      ])
  }
}
