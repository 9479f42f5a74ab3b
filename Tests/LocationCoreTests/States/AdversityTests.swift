import LocationCore
import Testing

/// What a service or a receiver does that no sane one would.
@Suite struct `A service gone mad` {
  @Test func `that announces a receiver and takes it away, again and again, tells it once`() {
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
}
