import GPSDLocation
import LocationCore
import GPSDTestKit
import Testing
import VirtualTimeTesting

/// Fault 131.
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A line about the connection` {
  private static let lost = #"{"class":"LOCWATCH_LINK","state":"lost""#

  private static func events(_ lines: [String]) async throws -> [LocationEvent] {
    let source = GPSDLocationSource(replaying: RecordedSession(lines: lines))
    var events: [LocationEvent] = []
    for try await event in source.events() { events.append(event) }
    return events
  }

  private static let meanings: [(line: String, event: LocationEvent?)] = [
    (
      lost + #","error":"silent","reason":"gpsd has been silent \u0041","retry":1.094}"#,
      .disconnected(LocationError(.silent, "gpsd has been silent A"), retryIn: .milliseconds(1094))
    ),
    (lost + "}", .disconnected(LocationError(.disconnected), retryIn: nil)),
    (
      lost + #","retry":1000000}"#,
      .disconnected(LocationError(.disconnected), retryIn: .seconds(1_000_000))
    ),
    (
      lost + #","later":{"error":"silent","retry":[7]},"retry":2}"#,
      .disconnected(LocationError(.disconnected), retryIn: .seconds(2))
    ),
    (lost + #","retry":0}"#, .disconnected(LocationError(.disconnected), retryIn: .zero)),
    (lost + #","retry":1000001}"#, .disconnected(LocationError(.disconnected), retryIn: nil)),
    (lost + #","retry":-1}"#, .disconnected(LocationError(.disconnected), retryIn: nil)),
    (lost + #","retry":1e308}"#, .disconnected(LocationError(.disconnected), retryIn: nil)),
    (
      lost + #","reason":"301 to http://u:p@h/"}"#,
      .disconnected(LocationError(.disconnected, "301 to http://***@h/"), retryIn: nil)
    ),
    (#"{"class":"LOCWATCH_LINK","state":"x"}"#, nil), (#"{"class":"LOCWATCH_LINK"}"#, nil),
    (#"{"class":"LOCWATCH_LINK","state":"lost""#, nil),
    (" " + lost + "}", .disconnected(LocationError(.disconnected), retryIn: nil)),
    (
      #"{"retry": 2e0, "state": "lost", "class": "LOCWATCH_LINK"}"#,
      .disconnected(LocationError(.disconnected), retryIn: .seconds(2))
    ),
    (#"{"class":"LINK","state":"lost"}"#, nil),
  ]

  @Test(arguments: meanings.map { ($0.line, $0.event) })
  func `is an event in a recording`(line: String, event: LocationEvent?) async throws {
    #expect(try await Self.events([line]) == [event].compactMap(\.self))
  }
}
