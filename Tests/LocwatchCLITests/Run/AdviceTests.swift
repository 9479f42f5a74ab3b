import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

@Suite struct `During a live run, locwatch` {
  @Test func `gives no advice before gpsd has reported its receivers`() async throws {
    let answer = LocationScriptStep.event(.service(LocationService(name: "gpsd 3.22")))
    let run = try await WatchRun(["--duration", "1m"], [answer, .stayOpen])
    #expect(run.messages == [])
  }
}
