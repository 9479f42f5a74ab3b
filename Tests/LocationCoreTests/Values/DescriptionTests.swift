import LocationCore
import LocationTestKit
import Testing

@Suite struct `Values are printed` {
  private let noon = Timestamp(secondsSince1970: 1_795_158_312, nanoseconds: 250_000_000)

  @Test(
    arguments: [
      (1_795_158_312_000_000_000, "2026-11-20T07:05:12.000Z"),
      (-1, "1969-12-31T23:59:59.999999999Z"),
      (Int64.max, "2262-04-11T23:47:16.854775807Z"),
    ] as [(Int64, String)])
  func `an instant in UTC`(nanoseconds: Int64, text: String) {
    #expect("\(Timestamp(nanosecondsSince1970: nanoseconds))" == text)
  }

  @Test func `a moment by both clocks`() {
    #expect("\(Moment(uptime: .milliseconds(12_500)))" == "12.5 seconds")
    #expect(
      "\(Moment(uptime: .seconds(3), wall: noon))" == "3.0 seconds (2026-11-20T07:05:12.250Z)")
  }

  @Test func `a fix with all that is known of it, and nothing else`() {
    var fix = LocationFix(
      coordinate: Coordinate(latitude: -33.85, longitude: 151.21)!, mode: .fix2D)
    #expect("\(fix)" == "2D -33.85, 151.21")
    fix.mode = .fix3D
    fix.device = "/dev/ttyACM0"
    fix.time = noon
    fix.received = noon.advanced(by: .milliseconds(100))
    fix.isCurrent = false
    fix.timeJump = .seconds(-3600)
    fix.satellitesUsed = 7
    fix.satellitesSeen = 12
    fix.altitude = 408.1
    fix[.eph] = 4.5
    #expect(
      "\(fix)"
        == "3D -33.85, 151.21 at 2026-11-20T07:05:12.250Z of /dev/ttyACM0, "
        + "received 2026-11-20T07:05:12.350Z, not current, jumped -3600.0 seconds, "
        + "altMSL 408.1, eph 4.5, satsUsed 7, satsSeen 12")
  }

  @Test func `a fix whose date was corrected, and whose position is doubted`() {
    var fix = LocationFix(
      coordinate: Coordinate(latitude: -33.85, longitude: 151.21)!, mode: .fix2D)
    fix.dateCorrection = -1
    #expect("\(fix)" == "2D -33.85, 151.21, date corrected -1")
    fix.doubts = [.jump, .height]
    fix[.eph] = 4.5
    #expect("\(fix)" == "2D -33.85, 151.21, date corrected -1, doubted: jump, height, eph 4.5")
    fix.dateCorrection = nil
    #expect("\(fix)" == "2D -33.85, 151.21, doubted: jump, height, eph 4.5")
  }

  /// Two equal texts would not show why a test failed.
  @Test func `fixes that differ differently`() {
    let fix = LocationFix.at(latitude: 1, longitude: 2, horizontalError: 5)
    #expect("\(fix)" != "\(LocationFix.at(latitude: 1, longitude: 2, horizontalError: 7))")
  }

  @Test func `a transition`() {
    let moment = Moment(uptime: .seconds(3))
    #expect("\(StateChange(.connecting, at: moment))" == "connecting at 3.0 seconds")
    // A Duration of this length has no exact number of seconds.
    let long = Moment(uptimeNanoseconds: 1_918_550_896_179, wall: noon)
    #expect("\(long)" == "1918.551 seconds (2026-11-20T07:05:12.250Z)")
    #expect("\(Moment(uptime: .milliseconds(-1)))" == "-0.001 seconds")
    let last = LocationFix(
      coordinate: Coordinate(latitude: -33.85, longitude: 151.21)!, mode: .fix2D, time: noon)
    let lost = StateChange(
      .lost, of: .receiver("a"), previous: .fix3D, loss: .silence, lastFix: last, at: moment)
    #expect(
      "\(lost)"
        == "a fix-3d > lost: silence at 3.0 seconds, "
        + "last fix 2D -33.85, 151.21 at 2026-11-20T07:05:12.250Z")
    #expect(
      "\(StateChange(.noService, previous: .connecting, reason: "gone", retryIn: .seconds(1), at: moment))"
        == "connecting > no-daemon: gone at 3.0 seconds, again in 1.0 seconds")
  }

  @Test func `an error for people, and with its code and number for a debugger`() {
    let refused = LocationError(.unreachable, systemError: .errno(111), "no gpsd listens there")
    #expect("\(refused)" == "no gpsd listens there")
    #expect(String(reflecting: refused) == "unreachable (errno 111): no gpsd listens there")
    #expect("\(LocationError(.timedOut))" == "timedOut")
    #expect(String(reflecting: LocationError(.timedOut)) == "timedOut")
    #expect("\(LocationError.Code.notAService)" == "notAService")
    #expect("\(SystemError.resolver(-2))" == "getaddrinfo -2")
    #expect(SystemError.errno(2) != .resolver(2))
  }

  @Test func `a loss by its name, which is its reason where there is no other`() {
    #expect(
      "\(LossReason.noFix) \(LossReason.silence) \(LossReason.stuck)" == "no-fix silence stuck")
    #expect(
      [LossReason.noFix, .silence, .stuck, LossReason(rawValue: "x")].map(\.words)
        == ["no position", "no reports", "its time stands still", "x"])
    let lost = StateChange(.lost, loss: .noFix, at: Moment(uptime: .zero))
    #expect((lost.reason, lost.reasonInWords) == ("no-fix", "no position"))
    let explained = StateChange(.lost, loss: .noFix, reason: "x", at: Moment(uptime: .zero))
    #expect(explained.reasonInWords == "x")
    let stuck = StateChange(.lost, loss: .stuck, at: Moment(uptime: .zero))
    #expect(stuck.reason == "stuck")
    let gone = StateChange(.noDevice, reason: "No such device", at: Moment(uptime: .zero))
    #expect(gone.loss == nil && gone.reason == "No such device")
  }

  @Test func `a transition of the link, of a receiver and of one without a name`() {
    let moment = Moment(uptime: .zero)
    let link = StateChange(.noDevice, at: moment)
    let receiver = StateChange(.noDevice, of: .receiver("a"), at: moment)
    let unnamed = StateChange(.noDevice, of: .receiver(nil), at: moment)
    #expect([link, receiver, unnamed].map(\.device) == [nil, "a", nil])
    #expect(link != unnamed)
    #expect("\(link)" == "no-device at 0.0 seconds")
    #expect("\(receiver)" == "a no-device at 0.0 seconds")
    #expect("\(unnamed)" == "unnamed no-device at 0.0 seconds")
  }

  @Test func `a satellite and the sky`() {
    let first = Satellite(
      prn: 5, gnssID: 0, svID: 5, elevation: 45, azimuth: 120, signalStrength: 38, isUsed: true)
    let text = "satellite 5, used, 38.0 dBHz, elevation 45.0, azimuth 120.0, gnssID 0, svID 5"
    #expect("\(first)" == text)
    #expect("\(Satellite(prn: 400))" == "satellite 400")
    let sky = SkyView(device: "a", time: noon, satellites: [first], hdop: 1.3)
    #expect(
      "\(sky)" == "1 seen, 1 used at 2026-11-20T07:05:12.250Z of a, strongest 38.0 dBHz, hdop 1.3, "
        + "[\(text)]")
    #expect("\(SkyView())" == "sky")
    #expect("\(SkyView(vdop: 1, pdop: 2))" == "sky, vdop 1.0, pdop 2.0")
    let odd = Satellite(
      prn: 65, sigID: 2, health: 1, freqID: 6, trackingQuality: 7, pseudorange: 1,
      pseudorangeRate: 2, pseudorangeResidual: 3)
    #expect(
      "\(odd)"
        == "satellite 65, sigID 2, health 1, freqID 6, trackingQuality 7, pseudorange 1.0, "
        + "pseudorangeRate 2.0, pseudorangeResidual 3.0")
  }

  @Test(arguments: [
    (3, 2, "3 seen, 2 used"), (5, 2, "3 seen, 2 used, 5 signals seen, 2 signals used"),
    (3, 4, "3 seen, 2 used, 3 signals seen, 4 signals used"),
  ])
  func `the signals of the sky if there are more than satellites`(
    seen: Int, used: Int, text: String
  ) {
    #expect("\(SkyView(seen: 3, used: 2, signalsSeen: seen, signalsUsed: used))" == text)
  }

  @Test func `a receiver`() {
    let receiver = Receiver(
      path: "/dev/a", driver: "u-blox", subtype: "M8030", bitsPerSecond: 9600, cycle: .seconds(1),
      isActive: false)
    #expect("\(receiver)" == "/dev/a, not open, u-blox, M8030, 9600 bps, every 1.0 seconds")
    #expect("\(Receiver(path: "/dev/b"))" == "/dev/b")
  }

  @Test(
    arguments: [
      (.service(LocationService(name: "gpsd 3.22")), "service gpsd 3.22"),
      (.receivers([Receiver(path: "a"), Receiver(path: "b")]), "receivers [a, b]"),
      (.receiver(Receiver(path: "a")), "receiver a"), (.removed(path: "a"), "removed a"),
      (.refused(path: "a", reason: "no such device"), "refused a: no such device"),
      (
        .fix(LocationFix(coordinate: Coordinate(latitude: 1, longitude: 2)!, mode: .fix3D)),
        "fix 3D 1.0, 2.0"
      ),
      (.noFix(NoFix(device: "a")), "no fix of a"),
      (
        .noFix(NoFix(isStated: true, antenna: .open, isAntennaPowered: false, interference: 7)),
        "no fix, antenna open, antenna power off, jam 7"
      ),
      (.noFix(NoFix(isStated: true, isAntennaPowered: true)), "no fix, antenna power on"),
      (.noFix(NoFix(isStated: false)), "no fix yet"),
      (.sky(SkyView(seen: 3)), "sky 3 seen"), (.notice("hello"), "notice hello"),
    ] as [(LocationEvent, String)])
  func `an event, and the update that reports it`(event: LocationEvent, text: String) {
    #expect("\(event)" == text)
    #expect("\(LocationUpdate.event(event))" == text)
  }

  @Test func `the other updates`() {
    let moment = Moment(uptime: .seconds(3))
    let change = StateChange(.noService, at: moment)
    #expect("\(LocationUpdate.state(change))" == "state no-daemon at 3.0 seconds")
    let retry = FailedRetry(LocationError(.silent, "no answer"), retryIn: .seconds(2), at: moment)
    #expect(
      "\(LocationUpdate.retry(retry))"
        == "retry failed at 3.0 seconds: no answer, again in 2.0 seconds")
  }

  @Test func `a policy of retries`() {
    #expect("\(RetryPolicy.never)" == "no retries")
    #expect(
      "\(RetryPolicy(delays: [.seconds(1), .seconds(30)], jitter: 0.2))"
        == "retries after 1.0 seconds, 30.0 seconds, jitter 0.2")
  }

  @Test func `a clock by its time`() {
    let clock = LocationClock(now: { Moment(uptime: .seconds(3)) }, sleepUntil: { _ in })
    #expect("\(clock)" == "clock at 3.0 seconds")
  }
}
