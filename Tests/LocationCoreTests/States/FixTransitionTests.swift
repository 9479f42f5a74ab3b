import Testing

@testable import LocationCore

/// What the reports of one receiver make of its state.
/// Faults 37 and 68.
@Suite struct `Fix transitions` {
  private let needsTime = FixNeeds(time: true)

  @Test func `a first fix of 2D, 3D, 3D in one instant makes no fix-2d`() {
    var watch = Watch()
    let told = watch.play(
      [
        (0.0, Reports.fix(0, .fix2D, isThin: true)), (0.02, Reports.fix(0, isThin: true)),
        (0.04, Reports.fix(0, isThin: true)),
      ], until: 1)
    #expect(told == ["0.0 a connecting > fix-3d", "0.0 a 3d 0.0"])
  }

  @Test func `downward inside an epoch makes no transition`() {
    var watch = Watch()
    let told = watch.play(
      [
        (0.0, Reports.fix(0)), (0.02, Reports.fix(0, .fix2D)), (0.04, Reports.noFix(0)),
        (1.0, Reports.fix(1)), (1.04, Reports.noFix(1, isStated: false)),
      ], until: 2)
    #expect(told == ["0.0 a connecting > fix-3d", "0.0 a 3d 0.0", "1.0 a 3d 1.0"])
  }

  @Test func `a thin report waits 150 ms for the rest of its epoch, and no longer`() {
    var watch = Watch()
    #expect(watch.play([(0.0, Reports.fix(0, isThin: true))]) == [])
    #expect(watch.deadline == 0.15)
    #expect(watch.play([], until: 0.149) == [])
    #expect(watch.play([], until: 0.15) == ["0.0 a connecting > fix-3d", "0.0 a 3d 0.0"])
  }

  @Test func `what a receiver always leaves out is not waited for again`() {
    var watch = Watch()
    _ = watch.play([(0, Reports.fix(0, isThin: true))], until: 0.5)
    #expect(watch.play([(1, Reports.fix(1, isThin: true))]) == ["1.0 a 3d 1.0"])
  }

  @Test func `mode 3, 1, 3 clears the fix and gives it back`() {
    var watch = Watch()
    let told = watch.play([
      (0, Reports.fix(0)), (1, Reports.noFix(1)), (2, Reports.noFix(2)), (3, Reports.fix(3)),
    ])
    #expect(
      told == [
        "0.0 a connecting > fix-3d", "0.0 a 3d 0.0", "1.0 a fix-3d > lost: no-fix",
        "3.0 a lost > fix-3d", "3.0 a 3d 3.0",
      ])
  }

  /// That is mode 0, and mode 3 without a latitude.
  @Test func `a report that leaves the position open clears the fix when its epoch is over`() {
    var watch = Watch()
    _ = watch.play([(0, Reports.fix(0))])
    #expect(watch.play([(1, Reports.noFix(1, isStated: false))]) == [])
    #expect(watch.play([], until: 1.15) == ["1.15 a fix-3d > lost: no-fix"])
  }

  @Test func `without a time mode 0 clears the fix at once`() {
    var watch = Watch()
    _ = watch.play([(0, Reports.fix(0))])
    #expect(
      watch.play([(1, Reports.noFix(nil, isStated: false))]) == ["1.0 a fix-3d > lost: no-fix"])
  }

  @Test func `a report that leaves the position open is completed by its epoch`() {
    var watch = Watch()
    _ = watch.play([(0, Reports.fix(0))])
    let told = watch.play(
      [(1, Reports.noFix(1, isStated: false)), (1.05, Reports.fix(1))], until: 2)
    #expect(told == ["1.05 a 3d 1.0"])
  }

  @Test func `2D and 3D are states of their own`() {
    var watch = Watch()
    let told = watch.play([
      (0, Reports.fix(0)), (1, Reports.fix(1, .fix2D)), (1.2, Reports.noFix(1.2)),
    ])
    #expect(
      told == [
        "0.0 a connecting > fix-3d", "0.0 a 3d 0.0", "1.0 a fix-3d > fix-2d", "1.0 a 2d 1.0",
        "1.2 a fix-2d > lost: no-fix",
      ])
  }

  @Test func `a receiver without a position is searched once`() {
    var watch = Watch()
    let told = watch.play([(0, Reports.noFix(nil)), (1, Reports.noFix(nil)), (2, Reports.noFix(2))])
    #expect(told == ["0.0 a connecting > searching"])
  }

  @Test func `reports without a time are an epoch each`() {
    var watch = Watch()
    _ = watch.play([(0, Reports.fix(0))])
    let told = watch.play([(1, Reports.fix(nil)), (2, Reports.fix(nil, isThin: true))])
    #expect(told == ["1.0 a 3d", "2.0 a 3d"])
  }

  @Test func `the first fix with a time replaces those without`() {
    var watch = Watch(needs: needsTime)
    let told = watch.play([
      (0, Reports.receivers("a")), (0.1, Reports.fix(nil, isThin: true)), (1.1, Reports.fix(nil)),
      (2.0, Reports.fix(2)), (3.0, Reports.fix(nil)),
    ])
    #expect(told == ["2.0 a connecting > fix-3d", "2.0 a 3d 2.0", "3.0 a 3d"])
  }

  @Test func `fixes without a time are held for 2 s, and no longer`() {
    var watch = Watch(needs: needsTime)
    #expect(watch.play([(0.1, Reports.fix(nil)), (1.1, Reports.fix(nil, .fix2D))]) == [])
    #expect(watch.deadline == 2.1)
    #expect(
      watch.play([], until: 2.1) == [
        "0.1 a connecting > fix-3d", "0.1 a 3d", "1.1 a fix-3d > fix-2d", "1.1 a 2d",
      ])
    #expect(watch.play([(2.2, Reports.fix(nil))]) == ["2.2 a fix-2d > fix-3d", "2.2 a 3d"])
  }

  /// Without a time in it, a recording takes none.
  @Test func `at most twenty fixes without a time are held`() {
    var watch = Watch(needs: needsTime)
    #expect(watch.play((0..<20).map { _ in (0, Reports.fix(nil)) }) == [])
    let told = watch.play([(0, Reports.fix(nil))])
    #expect(told == ["0.0 a connecting > fix-3d"] + Array(repeating: "0.0 a 3d", count: 21))
    #expect(watch.play([(0, Reports.fix(nil))]) == ["0.0 a 3d"])
  }

  @Test func `a fix with a time replaces twenty without`() {
    var watch = Watch(needs: needsTime)
    #expect(watch.play((0..<20).map { _ in (0, Reports.fix(nil)) }) == [])
    #expect(watch.play([(1, Reports.fix(1))]) == ["1.0 a connecting > fix-3d", "1.0 a 3d 1.0"])
  }

  @Test func `a receiver that is opened again is waited for again`() {
    var watch = Watch(needs: needsTime)
    _ = watch.play([(0, Reports.fix(0)), (1, .removed(path: "a"))])
    let told = watch.play([(2, Reports.fix(nil)), (3, Reports.fix(3))])
    #expect(told == ["3.0 a no-device > fix-3d", "3.0 a 3d 3.0"])
  }

  @Test func `a recording that was appended to another begins anew`() {
    var watch = Watch(needs: needsTime)
    let gpsd = LocationEvent.service(LocationService(name: "gpsd 3.22"))
    let told = watch.play([
      (0, gpsd), (0.1, Reports.fix(0)), (60, gpsd), (60.1, Reports.fix(nil)), (61, Reports.fix(61)),
    ])
    #expect(
      told.filter { $0.contains(" 3d ") || $0.hasSuffix(" 3d") } == [
        "0.1 a 3d 0.0", "61.0 a 3d 61.0",
      ])
  }

  @Test func `a receiver whose fixes are held is not silent`() {
    var watch = Watch(stale: .seconds(1), needs: needsTime)
    let told = watch.play([(0, Reports.receivers("a")), (0.5, Reports.fix(nil))], until: 2.5)
    #expect(told.first == "0.5 a connecting > fix-3d")
  }

  @Test func `a fix without a time is written before the loss that follows`() {
    var watch = Watch(needs: needsTime)
    let told = watch.play([(0, Reports.fix(nil)), (1, Reports.noFix(nil))])
    #expect(
      told == ["0.0 a connecting > fix-3d", "0.0 a 3d", "1.0 a fix-3d > lost: no-fix"])
  }

  @Test func `the end writes what is held`() {
    var watch = Watch()
    #expect(watch.play([(0, Reports.fix(0, isThin: true))]) == [])
    #expect(watch.finish(at: 0.1) == ["0.0 a connecting > fix-3d", "0.0 a 3d 0.0"])
    #expect(watch.finish(at: 0.1) == [])
  }
}
