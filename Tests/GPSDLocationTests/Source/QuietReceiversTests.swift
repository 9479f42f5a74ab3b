import LocationCore
import Testing

@testable import GPSDLocation

@Suite struct `Receivers that fall silent beside others` {
  private let pause = Nanoseconds.seconds(10)

  @Test func `are due for a nudge after the pause, and after each further one`() {
    var receivers = QuietReceivers()
    #expect(receivers.deadline(after: pause) == nil)
    receivers.handle("/dev/a", at: .at(0), DeviceNode.elsewhere)
    receivers.handle("/dev/b", at: .at(0), DeviceNode.elsewhere)
    receivers.handle("/dev/b", at: .at(9), DeviceNode.elsewhere)
    #expect(receivers.deadline(after: pause) == .at(10))
    receivers.recordNudge(at: .at(10))
    receivers.handle("/dev/b", at: .at(11), DeviceNode.elsewhere)
    #expect(receivers.deadline(after: pause) == .at(20))
    receivers.handle("/dev/a", at: .at(12), DeviceNode.elsewhere)
    #expect(receivers.deadline(after: pause) == .at(21))
  }

  @Test func `are left alone once they are gone`() {
    var receivers = QuietReceivers()
    receivers.handle("/dev/a", at: .at(0), DeviceNode.elsewhere)
    receivers.forget("/dev/a")
    #expect(receivers.deadline(after: pause) == nil)
  }

  @Test func `are left alone once gpsd does not list them`() {
    var receivers = QuietReceivers()
    receivers.handle("/dev/a", at: .at(0), DeviceNode.elsewhere)
    receivers.handle("/dev/b", at: .at(5), DeviceNode.elsewhere)
    receivers.forgetAll(but: ["/dev/b"])
    #expect(receivers.deadline(after: pause) == .at(15))
  }

  @Test func `are not probed while one is unplugged, unless another was plugged in again`() {
    var devices = ["/dev/a": DeviceNode(number: 1), "/dev/b": DeviceNode(number: 2)]
    var receivers = QuietReceivers()
    for path in ["/dev/a", "/dev/b"] { receivers.handle(path, at: .at(0)) { devices[$0] } }
    devices["/dev/a"] = nil
    #expect(receivers.look(at: .at(2)) { devices[$0] } == .gone("/dev/a"))
    #expect(receivers.mustNotBeProbed)
    #expect(!receivers.needsNudge(at: .at(60), after: pause))

    devices["/dev/b"] = DeviceNode(number: 3)
    #expect(receivers.look(at: .at(3)) { devices[$0] } == nil)
    #expect(receivers.mustNotBeProbed)
    #expect(receivers.look(at: .at(4)) { devices[$0] } == .back)
    #expect(!receivers.mustNotBeProbed)
    #expect(receivers.needsNudge(at: .at(10), after: pause))
    receivers.handle("/dev/b", at: .at(11)) { devices[$0] }
    #expect(receivers.mustNotBeProbed)
  }

  @Test func `make a watchdog probe, although gpsd sends reports`() {
    var watchdog = Watchdog(openedAt: .at(0))
    watchdog.handle(reportAt: .at(0))
    watchdog.record(.noFix(NoFix(device: "/dev/a")), at: .at(0), DeviceNode.elsewhere)
    for second in 1...9 {
      watchdog.handle(reportAt: .at(Double(second)))
      watchdog.record(
        .noFix(NoFix(device: "/dev/b")), at: .at(Double(second)), DeviceNode.elsewhere)
    }
    #expect(watchdog.expire(at: .at(9), DeviceNode.elsewhere) == .wait)
    #expect(watchdog.expire(at: .at(10), DeviceNode.elsewhere) == .probe)
    #expect(watchdog.expire(at: .at(11), DeviceNode.elsewhere) == .wait)
    #expect(watchdog.deadline == .at(19))
  }
}
