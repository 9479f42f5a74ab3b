import Foundation
import GPSDTestKit
import LocationCore
import Testing
import VirtualTimeTesting

/// What the articles on testing ask for below the location manager: sessions, files, time.
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `What is asked of testable sessions` {
  private let clock = ManualClock()

  @Test func `a response comes from a file, after its response time`() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString).jsonl"
    ).path
    let recording = """
      {"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:04:50.120Z"}
      {"class":"TPV","mode":1}
      {"class":"LOCWATCH","t":3.000}
      {"class":"TPV","mode":3,"lat":-33.85,"lon":151.21}

      """
    try recording.write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let session = try RecordedSession(
      contentsOf: path, pace: .recorded(speed: 1), realClock: clock.locationClock)
    async let found = GPSDLocationSource(replaying: session).currentLocation()
    await clock.waitForSleepers()
    clock.jump(by: .seconds(3))
    let fix = try await found
    #expect(fix.coordinate == Coordinate(latitude: -33.85, longitude: 151.21))
    #expect(fix.received == Timestamp(secondsSince1970: 1_795_158_293, nanoseconds: 120_000_000))
  }

  /// gpsd says "No such device" too where it may not open one.
  @MainActor
  @Test func `a coordinator reports that access to the receiver is denied`() async {
    let source = GPSDLocationSource.recorded(
      lines: [
        #"{"class":"VERSION","release":"3.22"}"#,
        #"{"class":"ERROR","message":"No such device as /dev/ttyACM0"}"#,
      ], device: "/dev/ttyACM0")
    let coordinator = LocationCoordinator(source)
    let heard = heard(from: coordinator)
    coordinator.start()
    #expect(
      await heard.next(3)
        == ["connecting", "no-device", "/dev/ttyACM0: No such device as /dev/ttyACM0"])
    coordinator.stop()
  }

  @MainActor
  @Test func `a coordinator reports that access to gpsd is denied`() async {
    let gpsd = ScriptedGPSD(clock: clock, scripts: [.refuse])
    let coordinator = LocationCoordinator(gpsd.source(), retries: .never)
    let heard = heard(from: coordinator)
    coordinator.start()
    #expect(
      await heard.next(3)
        == ["connecting", "no-daemon", "localhost:2947: connection refused"])
  }

  /// The states and errors that a coordinator reports, as text.
  @MainActor
  private func heard(from coordinator: LocationCoordinator) -> Collector<String> {
    let heard = Collector<String>()
    coordinator.onChange = { heard.add($0.state.rawValue) }
    coordinator.onFailure = { heard.add("\($0)") }
    return heard
  }
}
