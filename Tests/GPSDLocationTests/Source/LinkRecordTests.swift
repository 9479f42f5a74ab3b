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

  @Test func `is none of gpsd's reports, and no recording`() async throws {
    let statistics = GPSDStatistics()
    let session = RecordedSession(lines: [Self.lost + "}", Lines.version])
    let source = GPSDLocationSource(replaying: session, statistics: statistics)
    for try await _ in source.events() {}
    #expect(statistics.counts.reports == ["VERSION": 1])
    #expect(statistics.counts.badLines == 0)
  }

  @Test func `counts an attempt to connect again once something came of it`() async throws {
    let lost = Self.lost + "}"
    let lines = [Lines.version, Lines.tpv(1), lost, lost, Lines.version, Lines.tpv(2), lost]
    #expect(try await Self.connections(lines) == 3)
    // Another run did not connect again.
    #expect(try await Self.connections(Self.run(0) + Self.run(480)) == 1)
    #expect(try await Self.connections(Self.run(0) + [lost] + Self.run(480)) == 1)
    #expect(try await Self.connections(Self.run(0) + [lost, lost] + Self.run(480)) == 2)
    #expect(
      try await Self.connections(Self.run(0) + [lost, Lines.version] + Self.run(480) + [lost]) == 2)
  }

  private static func connections(_ lines: [String]) async throws -> Int {
    let statistics = GPSDStatistics()
    let source = GPSDLocationSource(
      replaying: RecordedSession(lines: lines), statistics: statistics)
    for try await _ in source.events() {}
    return statistics.counts.connections
  }

  @Test func `means nothing if gpsd sends it`() async throws {
    let lines = [Lines.version, Self.lost + "}", Lines.tpv(1)]
    let gpsd = ScriptedGPSD(clock: ManualClock(), scripts: [.lines(lines)])
    var connection = gpsd.source().connection()
    guard case .value(let events, _) = try await connection.next(until: nil) else {
      Issue.record("no events")
      return
    }
    #expect(events.count == 2)
    #expect(events.first?.event == .service(LocationService(name: "gpsd 3.22")))
    #expect(events.last?.event.description.hasPrefix("fix 3D 47.37") == true)
  }

  private static func stamp(_ time: String) -> String { #"{"class":"LOCWATCH","t":\#(time)}"# }

  /// A run with a fix in two seconds, and a time stamp at its end.
  ///
  /// - Parameter minute: The minute of its beginning.
  private static func run(_ minute: Int, end: String = "2.900") -> [String] {
    let start = Lines.start.advanced(by: .seconds(60 * minute))
    func fix(_ second: Int) -> String {
      let time = start.advanced(by: .seconds(second))
      return Lines.tpv(0).replacing("2026-11-20T07:05:00.000Z", with: "\(time)")
    }
    return [
      #"{"class":"LOCWATCH","t":0.000,"start":"\#(start)"}"#, Lines.version, Lines.devices,
      stamp("1.000"), fix(1), stamp("2.000"), fix(2), stamp(end),
    ]
  }

  private static func story(_ lines: [String]) async throws -> [String] {
    var story: [String] = []
    let updates = GPSDLocationSource(replaying: RecordedSession(lines: lines)).updates()
    for try await update in updates {
      switch update {
      case .state(let change):
        story.append(
          "\(change.moment.uptime.inSeconds) \(change.state.rawValue) \(change.reason ?? "-")"
            + " \(change.retryIn.map { "\($0)" } ?? "-")")
      case .retry(let retry):
        story.append("\(retry.moment.uptime.inSeconds) retry \(retry.error)")
      case .change, .event, .fix: break
      }
    }
    return story
  }

  @Test func `is added where nothing was recorded for some time`() async throws {
    #expect(
      try await Self.story(Self.run(0) + Self.run(480)) == [
        "0.0 connecting - -", "1.0 fix-3d - -", "2.9 no-daemon not recorded -",
        "28801.0 fix-3d - -",
      ])
    // A program that was killed writes no last time stamp, and perhaps the connection has failed.
    let killed = Self.run(0).dropLast() + [Self.lost + #","reason":"closed by gpsd"}"#]
    #expect(
      try await Self.story(killed + Self.run(480)) == [
        "0.0 connecting - -", "1.0 fix-3d - -", "2.0 no-daemon closed by gpsd -",
        "2.0 no-daemon not recorded -", "28801.0 fix-3d - -",
      ])
  }

  @Test(arguments: [("45.000", false), ("44.999", true)])
  func `is not added between files of a run`(end: String, isAdded: Bool) async throws {
    let story = try await Self.story(Self.run(0, end: end) + Self.run(1))
    #expect(story.contains { $0.contains("not recorded") } == isAdded)
    let reversed = try await Self.story(Self.run(1) + Self.run(0))
    #expect(!reversed.contains { $0.contains("not recorded") })
    // The second one was recorded at the same time as the first one.
    let other = try await Self.story(
      Self.run(0, end: "600.000") + Self.run(0) + Self.run(10))
    #expect(!other.contains { $0.contains("not recorded") })
  }

  @Test func `takes all positions away until the next connection`() async throws {
    let stamp = Self.stamp
    let lines = [
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#, Lines.version,
      Lines.devices, stamp("1.000"), Lines.tpv(1), stamp("2.000"), Lines.tpv(2), stamp("2.250"),
      Self.lost + #","error":"disconnected","reason":"closed by gpsd","retry":1.5}"#,
      stamp("60.000"), Lines.version, Lines.devices, stamp("61.000"), Lines.tpv(61),
    ]
    #expect(
      try await Self.story(lines) == [
        "0.0 connecting - -", "1.0 fix-3d - -", "2.25 no-daemon closed by gpsd 1.5 seconds",
        "61.0 fix-3d - -",
      ])
  }
}
