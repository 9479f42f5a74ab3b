import LocationCore
import Testing

/// What a service or a receiver does that no sane one would.
/// Faults 18 and 22.
@Suite struct `A service gone mad` {
  @Test func `that announces and removes a receiver again and again reports it once`() {
    var watch = Watch()
    let told = watch.play([
      (0, .removed(path: "a")), (1, .receiver(Receiver(path: "a"))), (2, .removed(path: "a")),
      (3, Reports.receivers("a")), (4, Reports.receivers()), (5, .receiver(Receiver(path: "a"))),
      (6, Reports.fix(6)),
    ])
    #expect(
      told == [
        "0.0 a connecting > no-device", "6.0 a no-device > fix-3d", "6.0 a 3d 6.0",
      ])
  }

  /// A receiver's first date may be one of 20 years ago.
  @Test(arguments: [(20 * 365 * 86_400.0, 1.0), (3600, 3600)])
  func `whose time jumps by years, or stops for an hour, is lost soon after`(
    jump: Double, pause: Double
  ) {
    var watch = Watch()
    _ = watch.play([(0, Reports.fix(0)), (pause, Reports.fix(jump))])
    #expect((watch.deadline ?? .infinity) - pause <= 1800)
  }

  @Test func `that renames its receiver with each plugging in is followed on and on`() {
    var watch = Watch()
    for number in 0..<1000 {
      let (second, path) = (Double(number), "/dev/bus/usb/001/\(number)")
      let told = watch.play([
        (second, Reports.fix(second, of: path)), (second + 0.5, .removed(path: path)),
      ])
      #expect(told.count == 3)
      #expect(told.last == "\(second + 0.5) \(path) fix-3d > no-device")
    }
  }

  @Test func `that has more than 64 receivers has the others ignored`() {
    var watch = Watch()
    for number in 0..<64 { _ = watch.play([(0, Reports.fix(0, of: "\(number)"))]) }
    #expect(watch.play([(1, Reports.fix(1, of: "64")), (1, .removed(path: "65"))]) == [])
    #expect(watch.play([(1, Reports.fix(1, of: "0"))]) == ["1.0 0 3d 1.0"])
  }

  @Test func `that lists 64 others keeps the one that was there`() {
    var watch = Watch()
    let others = (1...64).map { Receiver(path: "\($0)") }
    let told = watch.play([
      (0, Reports.fix(0, of: "0")), (1, .receivers(others)), (2, Reports.fix(2, of: "0")),
    ])
    #expect(
      told == [
        "0.0 0 connecting > fix-3d", "0.0 0 3d 0.0", "1.0 0 fix-3d > no-device",
        "2.0 0 no-device > fix-3d", "2.0 0 3d 2.0",
      ])
  }

  @Test func `that has 64 receivers gone loses no first fix that is held`() {
    var watch = Watch()
    for number in 0..<64 { _ = watch.play([(0, .removed(path: "\(number)"))]) }
    let told = watch.play(
      [
        (1, Reports.fix(1, of: "a", isThin: true)), (1.1, Reports.fix(1, of: "b", isThin: true)),
      ], until: 2)
    #expect(
      told == [
        "1.0 a fix-3d", "1.0 a 3d 1.0", "1.1 b fix-3d", "1.1 b 3d 1.0",
      ])
  }
}
