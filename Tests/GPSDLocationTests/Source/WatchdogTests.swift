import LocationCore
import Testing

@testable import GPSDLocation

/// Faults 9 and 36.
@Suite struct `Watchdog with a gpsd` {
  private var watchdog = Watchdog(openedAt: .at(0))

  private mutating func expire(at second: Double) -> Watchdog.Action {
    watchdog.expire(at: .at(second), DeviceNode.elsewhere)
  }

  @Test mutating func `the first answer may take 15 s`() {
    #expect(watchdog.deadline == .at(15))
    #expect(expire(at: 14.999) == .wait)
    let error = LocationError(.silent, "no answer from gpsd within 15.0 seconds")
    #expect(expire(at: 15) == .fail(error))
  }

  @Test mutating func `a banner after 7 s is no alarm`() {
    watchdog.handle(reportAt: .at(7))
    #expect(watchdog.deadline == .at(17))
    #expect(expire(at: 15) == .wait)
  }

  @Test mutating func `10 s of silence lead to one probe, and 20 s to the end`() {
    watchdog.handle(reportAt: .at(1))
    #expect(expire(at: 10.999) == .wait)
    #expect(expire(at: 11) == .probe)
    #expect(watchdog.deadline == .at(21))
    #expect(expire(at: 11) == .wait)
    #expect(expire(at: 20.999) == .wait)
    let error = LocationError(.silent, "gpsd has been silent for 20.0 seconds")
    #expect(expire(at: 21) == .fail(error))
  }

  @Test mutating func `an answer ends the doubt`() {
    watchdog.handle(reportAt: .at(0))
    #expect(expire(at: 10) == .probe)
    watchdog.handle(reportAt: .at(12))
    #expect(watchdog.deadline == .at(22))
    #expect(expire(at: 22) == .probe)
  }

  @Test mutating func `a bad line of a gpsd is a sign of life`() {
    watchdog.handle(reportAt: .at(0))
    #expect(watchdog.handle(foreign: Lines.bytes("garbage"), at: .at(5)) == .wait)
    #expect(watchdog.handle(discarded: 1_000_000, at: .at(6)) == .wait)
    #expect(watchdog.deadline == .at(16))
    for second in 0..<20 {
      #expect(watchdog.handle(foreign: Lines.bytes("{"), at: .at(Double(second))) == .wait)
    }
  }

  @Test mutating func `a bad line also ends the doubt`() {
    watchdog.handle(reportAt: .at(0))
    #expect(expire(at: 10) == .probe)
    #expect(watchdog.handle(foreign: Lines.bytes("garbage"), at: .at(12)) == .wait)
    #expect(watchdog.deadline == .at(22))
    #expect(expire(at: 22) == .probe)
  }

  @Test(arguments: [
    ("HTTP/1.1 400 Bad Request\r", "HTTP/1.1 400 Bad Request"),
    ("SSH-2.0-OpenSSH_9.2p1 Debian-2", "SSH-2.0-OpenSSH_9.2p1 Debian-2"),
    (String(repeating: "x", count: 100), String(repeating: "x", count: 60)),
  ])
  mutating func `another peer is named at the ninth line, at its end or after 15 s`(
    line: String, told: String
  ) {
    let error = LocationError(.notAService, "not a gpsd: it says '\(told)'")
    var other = watchdog
    var last: Watchdog.Action?
    for number in 1...9 {
      last = other.handle(foreign: Lines.bytes(number == 1 ? line : "more"), at: .at(1))
      #expect((last == .wait) == (number < 9))
    }
    #expect(last == .fail(error))

    _ = watchdog.handle(foreign: Lines.bytes(line), at: .at(1))
    #expect(watchdog.deadline == .at(15))
    #expect(watchdog.end(LocationError(.disconnected, "closed")) == error)
    #expect(expire(at: 15) == .fail(error))
  }

  @Test mutating func `a peer that sends 64 KiB of noise is not gpsd`() {
    #expect(watchdog.handle(discarded: 65_535, at: .at(0)) == .wait)
    #expect(
      watchdog.handle(discarded: 1, at: .at(0))
        == .fail(
          LocationError(.notAService, "not a gpsd: it says '65535 bytes without a line end'")))
  }

  @Test mutating func `a gpsd that hangs up is a lost connection`() {
    let closed = LocationError(.disconnected, "closed by gpsd")
    #expect(watchdog.end(closed) == LocationError(.disconnected, "closed by gpsd"))
    _ = watchdog.handle(foreign: Lines.bytes("torn"), at: .at(0))
    watchdog.handle(reportAt: .at(0))
    #expect(watchdog.end(closed) == LocationError(.disconnected, "closed by gpsd"))
  }
}

@Suite struct `Watchdog about a receiver that is unplugged` {
  private static let path = "/dev/a"

  private var watchdog = Watchdog(openedAt: .at(0))
  private var devices = [path: DeviceNode(number: 1)]

  private mutating func expire(at second: Double) -> Watchdog.Action {
    let devices = devices
    return watchdog.expire(at: .at(second)) { devices[$0] }
  }

  private mutating func handle(_ event: LocationEvent, at second: Double) {
    let devices = devices
    watchdog.handle(reportAt: .at(second))
    watchdog.record(event, at: .at(second)) { devices[$0] }
  }

  private mutating func report(at second: Double, of path: String = path) {
    handle(.noFix(NoFix(device: path)), at: second)
  }

  @Test mutating func `it is removed after 2 s of silence, and nothing is sent for an hour`() {
    report(at: 0)
    #expect(watchdog.deadline == .at(2))
    devices = [:]
    #expect(expire(at: 2) == .remove(Self.path))
    for second in 3...3600 {
      #expect(watchdog.deadline == .at(Double(second)))
      #expect(expire(at: Double(second)) == .wait)
    }
  }

  @Test mutating func `when it is back gpsd is probed at once, and every 10 s while silent`() {
    report(at: 0)
    devices = [:]
    #expect(expire(at: 2) == .remove(Self.path))
    devices[Self.path] = DeviceNode(number: 2)
    #expect(expire(at: 60) == .wait)
    #expect(watchdog.deadline == .at(61))
    #expect(expire(at: 61) == .probe)
    handle(.receivers([Receiver(path: Self.path)]), at: 61.1)
    for second in 62...70 { #expect(expire(at: Double(second)) == .wait) }
    #expect(expire(at: 71) == .probe)
    report(at: 71.2)
    #expect(watchdog.deadline == .at(73.2))
  }

  @Test mutating func `when it is back and gpsd does not answer, gpsd is given up 20 s later`() {
    report(at: 0)
    devices = [:]
    #expect(expire(at: 2) == .remove(Self.path))
    devices[Self.path] = DeviceNode(number: 2)
    #expect(expire(at: 60) == .wait)
    #expect(expire(at: 61) == .probe)
    for second in 62...70 { #expect(expire(at: Double(second)) == .wait) }
    #expect(expire(at: 71) == .probe)
    for second in 72...80 { #expect(expire(at: Double(second)) == .wait) }
    let error = LocationError(.silent, "gpsd has been silent for 20.0 seconds")
    #expect(expire(at: 81) == .fail(error))
  }

  @Test mutating func `pulled and back within a second, gpsd is probed soon`() {
    report(at: 0)
    devices[Self.path] = DeviceNode(number: 2)
    #expect(expire(at: 2) == .wait)
    #expect(expire(at: 3) == .probe)
  }

  @Test(arguments: [LocationEvent.removed(path: path), .receivers([])])
  mutating func `gpsd is probed as usual when it reports itself that it is gone`(
    event: LocationEvent
  ) {
    report(at: 0)
    devices = [:]
    #expect(expire(at: 2) == .remove(Self.path))
    handle(event, at: 5)
    #expect(watchdog.deadline == .at(15))
    #expect(expire(at: 15) == .probe)
  }

  @Test mutating func `while others report it is removed, and nothing is sent to gpsd`() {
    devices["/dev/b"] = DeviceNode(number: 9)
    report(at: 0)
    devices[Self.path] = nil
    for second in 0...1 { report(at: Double(second) + 0.5, of: "/dev/b") }
    #expect(expire(at: 2) == .remove(Self.path))
    for second in 2...60 {
      report(at: Double(second) + 0.5, of: "/dev/b")
      #expect(expire(at: Double(second) + 1) == .wait)
    }
    devices[Self.path] = DeviceNode(number: 2)
    report(at: 61.5, of: "/dev/b")
    #expect(expire(at: 62) == .wait)
    #expect(expire(at: 63) == .probe)
    report(at: 63.5, of: "/dev/b")
    #expect(expire(at: 72.9) == .wait)
    #expect(expire(at: 73) == .probe)
  }

  @Test mutating func `a device that is not local has no effect`() {
    devices = [:]
    report(at: 0)
    #expect(watchdog.deadline == .at(10))
    #expect(expire(at: 10) == .probe)
    #expect(
      expire(at: 20) == .fail(LocationError(.silent, "gpsd has been silent for 20.0 seconds")))
  }

  @Test mutating func `a receiver that gpsd could not open is probed for, and forgotten`() {
    handle(.receiver(Receiver(path: "/dev/none")), at: 0)
    for second in 0...9 { report(at: Double(second) + 0.5) }
    #expect(expire(at: 10) == .probe)
    handle(.receivers([Receiver(path: Self.path)]), at: 10.1)
    report(at: 15)
    #expect(expire(at: 20.2) == .wait)
    #expect(watchdog.deadline == .at(21.2))
  }
}
