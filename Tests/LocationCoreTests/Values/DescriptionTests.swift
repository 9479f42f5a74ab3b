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
      coordinate: Coordinate(latitude: -33.85, longitude: 151.21)!, mode: .twoD)
    #expect("\(fix)" == "2D -33.85, 151.21")
    fix.mode = .threeD
    fix.device = "/dev/ttyACM0"
    fix.time = noon
    fix.received = noon.advanced(by: .milliseconds(100))
    fix.isCurrent = false
    fix.timeJump = .seconds(-3600)
    fix.satellitesUsed = 7
    fix.satellitesSeen = 12
    fix.altMSL = 408.1
    fix.eph = 4.5
    #expect(
      "\(fix)"
        == "3D -33.85, 151.21 at 2026-11-20T07:05:12.250Z of /dev/ttyACM0, "
        + "received 2026-11-20T07:05:12.350Z, not current, jumped -3600.0 seconds, "
        + "7 satellites used, 12 satellites seen, altMSL 408.1, eph 4.5")
  }

  /// Two texts that are the same would tell nobody why a test failed.
  @Test func `fixes that differ differently`() {
    let fix = LocationFix.at(latitude: 1, longitude: 2, accuracy: 5)
    #expect("\(fix)" != "\(LocationFix.at(latitude: 1, longitude: 2, accuracy: 7))")
  }

  @Test func `a transition`() {
    let moment = Moment(uptime: .seconds(3))
    #expect("\(StateChange(.connecting, at: moment))" == "connecting at 3.0 seconds")
    let last = LocationFix(
      coordinate: Coordinate(latitude: -33.85, longitude: 151.21)!, mode: .twoD, time: noon)
    let lost = StateChange(
      .lost, previous: .fix3D, device: "a", reason: "silence", lastFix: last, at: moment)
    #expect(
      "\(lost)"
        == "a fix-3d > lost: silence at 3.0 seconds, "
        + "last fix 2D -33.85, 151.21 at 2026-11-20T07:05:12.250Z")
    #expect(
      "\(StateChange(.noDaemon, previous: .connecting, reason: "gone", retryIn: .seconds(1), at: moment))"
        == "connecting > no-daemon: gone at 3.0 seconds, again in 1.0 seconds")
  }
}
