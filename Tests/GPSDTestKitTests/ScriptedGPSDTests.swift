import GPSDTestKit
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Scripted gpsd` {
  private let clock = ManualClock()
  private static let version = #"{"class":"VERSION","release":"3.25"}"#
  private static let sydney = #"{"class":"TPV","mode":3,"lat":-33.85,"lon":151.21}"#
  private static let zurich = #"{"class":"TPV","mode":3,"lat":47.37,"lon":8.54}"#

  @Test func `sends lines, hangs up, refuses and sends lines again`() async throws {
    let gpsd = ScriptedGPSD(
      clock: clock,
      scripts: [.lines(Self.version, Self.sydney), .hangUp], [.refuse],
      [.lines(Self.version), .wait(.seconds(3)), .lines(Self.zurich)])
    let story = await clock.whileAdvancing {
      var story: [String] = []
      let policy = RetryPolicy(delays: [.seconds(1)], jitter: 0)
      var updates = gpsd.source().updates(retries: policy).makeAsyncIterator()
      while story.count < 7, let update = try? await updates.next() {
        switch update {
        case .state(let change): story.append(change.state.rawValue)
        case .fix(let fix): story.append("\(fix.coordinate.latitude)")
        case .retry(let retry): story.append("\(retry.error)")
        default: break
        }
      }
      updates.close()
      return story
    }
    #expect(
      story == [
        "connecting", "fix-3d", "-33.85", "no-daemon", "localhost:2947: connection refused",
        "fix-3d", "47.37",
      ])
    let calls = gpsd.calls.filter { $0 != .read }
    let open = ScriptedGPSD.Call.open(GPSDEndpoint())
    #expect(
      calls == [open, .send(.watch), .close, open, .close, open, .send(.watch), .close])
  }

  @Test func `stays open and silent, until the watchdog gives it up`() async {
    let gpsd = ScriptedGPSD(clock: clock, scripts: [.lines(Self.version)])
    let error = await clock.whileAdvancing {
      await #expect(throws: LocationError.self) {
        try await gpsd.source().currentLocation(timeout: nil)
      }
    }
    #expect(error?.code == .silent)
    #expect(clock.locationClock.now.uptime == .seconds(20))
    #expect(gpsd.calls.contains(.send(.devices)))
  }

  @Test func `answers commands, on any connection`() async throws {
    let gpsd = ScriptedGPSD(clock: clock, scripts: [.wait(.seconds(1)), .lines(Self.sydney)])
    gpsd.answer(.watch, with: Self.version, #"{"class":"TPV","mode":1}"#)
    let endpoint = GPSDEndpoint(host: "boat.example")
    let events = await clock.whileAdvancing {
      var events: [LocationEvent] = []
      var iterator = gpsd.source(endpoint: endpoint).events().makeAsyncIterator()
      while events.count < 3, let event = try? await iterator.next() { events.append(event) }
      return events.map { "\($0)".prefix { $0 != "," } }
    }
    #expect(events == ["service gpsd 3.25", "no fix", "fix 3D -33.85"])
    #expect(gpsd.calls.first == .open(endpoint))
    gpsd.answer(.watch)
    let session = gpsd.session()
    try await session.open(endpoint)
    try session.send(.watch)
    let now = clock.locationClock.now
    #expect(try session.poll(at: now) == .quiet(at: now))
  }

  @Test func `keeps the contract`() async {
    let gpsd = ScriptedGPSD(
      clock: clock,
      scripts: [
        .lines(Self.version), .wait(.seconds(1)), .lines(Self.sydney), .wait(.seconds(1)), .hangUp,
      ])
    let found = await clock.whileAdvancing {
      await gpsd.source().contractViolations(
        reporting: [
          .service(LocationService(name: "gpsd 3.25")),
          .fix(
            LocationFix(
              coordinate: Coordinate(latitude: -33.85, longitude: 151.21)!, mode: .fix3D)),
        ], then: .fails(.disconnected)
      ) { event in
        guard case .fix(var fix) = event else { return event }
        fix.received = nil
        return .fix(fix)
      }
    }
    #expect(found == [])
  }

  @Test func `those that report at the same moment do so in the order in which they were made`()
    async
  {
    let daemons = (0..<3).map { _ in
      ScriptedGPSD(clock: clock, scripts: [.wait(.seconds(1)), .lines(Self.sydney)])
    }
    let order = Collector<Int>()
    var tasks: [Task<Void, Never>] = []
    for (count, index) in [2, 0, 1].enumerated() {
      tasks.append(
        Task {
          var connection = daemons[index].source().connection()
          _ = try? await connection.next(until: nil, by: daemons[index].clock)
          order.add(index)
        })
      await clock.waitForSleepers(count + 1)
    }
    await clock.advance(by: .seconds(1))
    for task in tasks { await task.value }
    #expect(order.values == [0, 1, 2])
  }
}
