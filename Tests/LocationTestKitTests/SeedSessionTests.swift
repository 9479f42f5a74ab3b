import Foundation
import LocationTestKit
import Testing

/// What the articles on testing ask for below the location manager: sessions, files, time.
@Suite(.timeLimit(.minutes(5))) struct `What is asked of testable sessions` {
  private let clock = ManualClock()

  @Test func `a spy lists what was asked of it, with the arguments`() async throws {
    let spy = SpySession(RecordedSession(lines: [#"{"class":"TPV","mode":1}"#]))
    let endpoint = GPSDEndpoint(host: "boat.example")
    for try await _ in GPSDLocationSource(endpoint: endpoint, makeSession: { spy }).events() {}
    #expect(spy.calls == [.open(endpoint), .send(.watch), .read, .read, .close])
  }

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
    clock.advance(by: .seconds(3))
    let fix = try await found
    #expect(fix.coordinate == Places.sydney.coordinate)
    #expect(fix.received == Timestamp(secondsSince1970: 1_795_158_293, nanoseconds: 120_000_000))
  }

  @Test func `time passes when a test says so, and a test waits without sleeping`() async {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.wait(.seconds(3600)), .event(.fix(Places.sydney))])
    async let found = source.currentLocation(timeout: nil)
    await clock.waitForSleepers()
    #expect(source.connectionCount == 1)
    clock.advance(by: .seconds(3600))
    #expect((try? await found)?.coordinate == Places.sydney.coordinate)
  }

  @Test func `a fake that was told nothing fails the test`() async {
    await withKnownIssue {
      let source = FailingLocationSource { Issue.record(Comment(rawValue: $0)) }
      _ = try? await source.currentLocation()
    } matching: {
      $0.comments == ["a location was requested, and the test does not expect it"]
    }
    await withKnownIssue {
      try? await FailingSession { Issue.record(Comment(rawValue: $0)) }.send(.watch)
    } matching: {
      $0.comments.first?.rawValue.hasPrefix("send(?WATCH=") == true
    }
  }
}
