import DaemonHarness
import GPSDLocation
import LibGPS
import LocationCore
import Testing

@Suite(.timeLimit(.minutes(3))) struct `Updates over libgps` {
  /// Fault 29; `make soak` connects a thousand times.
  @Test func `connects 250 times, watches each time, and keeps no connection`() async throws {
    let report = #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"lat":48.1,"lon":11.5}"#
    let impostor = try Impostor([.expect("?WATCH"), .sendLines(report), .close])
    let updates = GPSDLocationSource(endpoint: impostor.endpoint).updates(
      retries: RetryPolicy(delays: [.zero], jitter: 0))
    var fixes = 0
    var failures = 0
    for try await update in updates {
      switch update {
      case .fix: fixes += 1
      case .state(let change) where change.state == .noService:
        failures += 1
        #expect(change.reason == "closed by gpsd")
      case .state, .change, .retry, .event: break
      }
      if failures == 250 { break }
    }
    #expect(fixes == 250)
    try await waitUntil("end of all connections") {
      impostor.clients.count >= 250 && impostor.clients.prefix(250).allSatisfy(\.isOver)
    }
    #expect(impostor.clients.prefix(250).allSatisfy { $0.commands == [GPSDCommand.watch.text] })
  }
}
