import LocationCore
import Testing

@Suite struct `Pulses per second` {
  private func pulse(of device: String? = "a") -> LocationEvent {
    .other(ServiceReport(.pps, device: device, text: #"{"class":"PPS"}"#))
  }

  @Test func `are present from the first on, and lost after 3 s without one`() {
    var watch = Watch()
    #expect(watch.play([(1, pulse()), (2, pulse()), (4.9, pulse())]) == ["1.0 a pps - > present"])
    #expect(watch.deadline == 7.9)
    #expect(watch.play([], until: 7.8) == [])
    #expect(watch.play([], until: 8) == ["7.9 a pps present > lost"])
    #expect(watch.deadline == nil)
    #expect(watch.play([], until: 60) == [])
    #expect(watch.play([(61, pulse())]) == ["61.0 a pps lost > present"])
    #expect(watch.deadline == 64)
  }

  @Test func `are lost on time, whatever else is reported late`() {
    var watch = Watch()
    #expect(
      watch.play([(1, pulse()), (9, pulse())]) == [
        "1.0 a pps - > present", "4.0 a pps present > lost", "9.0 a pps lost > present",
      ])
  }

  @Test func `are each receiver's own`() {
    var watch = Watch()
    #expect(
      watch.play(
        [(1, pulse()), (2, pulse(of: "b")), (3, pulse()), (3.5, pulse(of: nil))], until: 5.5)
        == [
          "1.0 a pps - > present", "2.0 b pps - > present", "3.5  pps - > present",
          "5.0 b pps present > lost",
        ])
    #expect(
      watch.play([], until: 9) == ["6.0 a pps present > lost", "6.5  pps present > lost"])
  }

  @Test func `are lost with their receiver`() {
    var watch = Watch()
    _ = watch.play([(1, pulse()), (1, pulse(of: "b"))])
    #expect(
      watch.play([(2, .removed(path: "a"))]) == [
        "2.0 a connecting > no-device", "2.0 a pps present > lost",
      ])
    #expect(
      watch.play([(3, .receivers([Receiver(path: "c")]))]) == ["3.0 b pps present > lost"])
    #expect(watch.deadline == 8)
  }

  @Test func `are lost with the service`() {
    var watch = Watch()
    _ = watch.play([(1, pulse())])
    #expect(
      watch.fail(at: 2) == ["2.0 a pps present > lost", "2.0 connecting > no-daemon: gone"])
    #expect(watch.play([(3, pulse())]) == ["3.0 a pps lost > present"])
  }

  @Test func `are not inferred from reports of another kind`() {
    var watch = Watch()
    let other = ServiceReport(ServiceReport.Kind(rawValue: "TOFF"), device: "a", text: "{}")
    #expect(watch.play([(1, .other(other))], until: 60) == [])
  }
}
