import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A hub as a provider` {
  private let clock = ManualClock()
  private let sydney = LocationFix.at(latitude: -33.85, longitude: 151.21)
  private let zurich = LocationFix.at(latitude: 47.37, longitude: 8.54)

  private func next(
    _ count: Int, of connection: inout some LocationConnection
  ) async throws(LocationError) -> [String] {
    var events: [String] = []
    while events.count < count {
      guard
        case .value(let read, _) = try await connection.next(until: nil, by: clock.locationClock)
      else { break }
      events += read.map(\.event.description)
    }
    return events
  }

  @Test func `shares its connection with regions, updates and coordinators`() async throws {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source)
    let harbour = Region.circle("harbour", around: sydney.coordinate, radius: 500)
    let presences = Collector<String>()
    let latitudes = Collector<Double>()
    let watching = Task {
      var events = hub.regionEvents([harbour], dwell: .zero).makeAsyncIterator()
      while let event = try? await events.next() { presences.add(event.presence.rawValue) }
    }
    let following = Task {
      for try await update in hub.updates() {
        if case .fix(let fix) = update { latitudes.add(fix.coordinate.latitude) }
      }
    }
    let fixes = Collector<Double>()
    let coordinator = await MainActor.run {
      let coordinator = LocationCoordinator(hub)
      coordinator.onUpdate = { fixes.add($0.coordinate.latitude) }
      coordinator.start()
      return coordinator
    }
    await clock.settle()
    source.forceLocation(sydney)
    #expect(await presences.next() == ["inside"])
    #expect(await latitudes.next() == [-33.85])
    #expect(await fixes.next() == [-33.85])
    source.forceLocation(zurich)
    #expect(await presences.next() == ["outside"])
    #expect(await latitudes.next() == [47.37])
    #expect(await fixes.next() == [47.37])
    #expect(source.connectionCount == 1)
    watching.cancel()
    following.cancel()
    await coordinator.stop()
    await watching.value
    try await following.value
    #expect(hub.state == .fix3D)
  }

  @Test func `begins with what is known, and loses no fix for a slow reader`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(.noFix(NoFix(device: "a")))])
    let hub = LocationHub(source)
    hub.start()
    await clock.settle()
    var connection = hub.connection()
    #expect(try await next(1, of: &connection) == ["no fix of a"])
    for latitude in 1...5 { source.forceLocation(.at(latitude: Double(latitude), longitude: 8)) }
    await clock.settle()
    let fixes = try await next(5, of: &connection)
    #expect(fixes.map { $0.prefix(8) } == (1...5).map { "fix 3D \($0)" })
    connection.close()
    #expect(try await connection.next(until: nil, by: clock.locationClock) == .ended)
    #expect(hub.isConnected)
  }

  @Test func `reports each state as an event`() async throws {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source)
    var connection = hub.connection()
    let now = clock.locationClock.now
    #expect(try await connection.next(until: now, by: clock.locationClock) == .timedOut(at: now))
    #expect(!hub.isConnected)
    source.force(.service(LocationService(name: "gpsd 3.25")))
    source.force(.receivers([]))
    source.force(.receiver(Receiver(path: "a")))
    source.force(.fix(.at(latitude: 1, longitude: 2, device: "a")))
    source.force(.noFix(NoFix(device: "a")))
    source.force(.removed(path: "a"))
    source.force(.selected("stern", previous: "bow"))
    let events = try await next(7, of: &connection)
    #expect(
      events.map { $0.prefix { $0 != "," } } == [
        "service gpsd 3.25", "receivers []", "receiver a", "fix 3D 1.0", "no fix of a", "removed a",
        "selected stern",
      ])
    #expect(hub.isConnected)
  }

  /// Forces events, and returns those of a connection that joins then.
  private func eventsAfterwards(_ events: LocationEvent...) async throws -> [String] {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source)
    hub.start()
    for event in events { source.force(event) }
    await clock.settle()
    var connection = hub.connection()
    let now = clock.locationClock.now
    var told: [String] = []
    while case .value(let read, _) = try await connection.next(until: now, by: clock.locationClock)
    {
      told += read.map(\.event.description)
    }
    return told
  }

  @Test func `tells a new reader why there is no receiver`() async throws {
    #expect(try await eventsAfterwards(.receivers([])) == ["receivers []"])
    let receiver = LocationEvent.receiver(Receiver(path: "a"))
    #expect(
      try await eventsAfterwards(receiver, .removed(path: "a"))
        == [LocationEvent.removed(path: "a").description])
    let refused = LocationEvent.refused(path: "a", reason: "No such device")
    #expect(try await eventsAfterwards(receiver, refused) == [refused.description])
  }

  private let gone = LocationError(.disconnected, "gone")

  @Test func `fails with the hub's connection, and waits for the next one`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.fail(gone)], [.fail(gone)], [])
    let hub = LocationHub(source, retries: RetryPolicy(delays: [.seconds(10)], jitter: 0))
    var connection = hub.connection()
    let first = await #expect(throws: LocationError.self) {
      try await connection.next(until: nil, by: clock.locationClock)
    }
    #expect(first == gone && !hub.isConnected)
    #expect(try await connection.next(until: nil, by: clock.locationClock) == .ended)
    // The hub fails again, and then not any more.
    let now = clock.locationClock.now
    connection = hub.connection()
    #expect(try await connection.next(until: now, by: clock.locationClock) == .timedOut(at: now))
    clock.jump(by: .seconds(10))
    await clock.settle()
    let second = await #expect(throws: LocationError.self) {
      try await connection.next(until: nil, by: clock.locationClock)
    }
    #expect(second == gone)
    connection = hub.connection()
    source.force(.fix(sydney))
    clock.jump(by: .seconds(10))
    await clock.settle()
    #expect(try await next(1, of: &connection).map { $0.prefix(6) } == ["fix 3D"])
    #expect(source.connectionCount == 3)
  }

  @Test func `is connected for its readers as soon as for itself`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(.fix(sydney)), .wait(.seconds(1)), .fail(gone)], [.fail(gone)],
      [.fail(gone)], [.event(.fix(zurich))])
    let hub = LocationHub(
      source, retries: RetryPolicy(delays: [2, 20, 30].map { .seconds($0) }, jitter: 0))
    let updates = Collector<String>()
    let start = clock.locationClock.now
    let reading = Task {
      // Nothing of this policy but that there are retries matters.
      let retries = RetryPolicy(delays: [.seconds(1000)], jitter: 0)
      var reader = (hub as any LocationProvider).updates(retries: retries).makeAsyncIterator()
      while case .value(let update, let moment) = try await reader.next(until: nil) {
        let seconds = moment.uptime / .seconds(1) - start.uptime / .seconds(1)
        switch update {
        case .state(let change):
          let retry = change.retryIn.map { " in \($0 / .seconds(1))" } ?? ""
          updates.add("\(seconds) \(change.state)\(retry)")
        case .retry(let retry):
          updates.add("\(seconds) again in \((retry.retryIn ?? .zero) / .seconds(1))")
        case .fix: updates.add("\(seconds) fix")
        default: break
        }
      }
    }
    for _ in 0..<55 {
      await clock.settle()
      clock.jump(by: .seconds(1))
    }
    await clock.settle()
    #expect(
      updates.values == [
        "0.0 connecting", "0.0 fix-3d", "0.0 fix", "1.0 no-daemon in 2.0", "3.0 again in 20.0",
        "23.0 again in 30.0", "53.0 fix-3d", "53.0 fix",
      ])
    #expect(source.connectionCount == 4)
    reading.cancel()
    hub.stop()
  }

  @Test(arguments: [0, 1, 3]) func `ends its readers when it is stopped while it tries again`(
    seconds: Int
  ) async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(.fix(sydney)), .wait(.seconds(1)), .fail(gone)], [.fail(gone)])
    let hub = LocationHub(source, retries: RetryPolicy(delays: [.seconds(1)], jitter: 0))
    let reading = Task {
      var count = 0
      let harbour = Region.circle("harbour", around: sydney.coordinate, radius: 500)
      for try await _ in hub.regionEvents([harbour], dwell: .zero) { count += 1 }
      return count
    }
    for _ in 0..<seconds {
      await clock.settle()
      clock.jump(by: .seconds(1))
    }
    await clock.settle()
    let count = source.connectionCount
    hub.stop()
    #expect(try await reading.value >= 1)
    #expect(source.connectionCount == count && hub.state == nil)
  }

  @Test func `is retried by its readers' policy when its own gives up`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.fail(gone)], [.fail(gone)], [.event(.fix(sydney))])
    let hub = LocationHub(source, retries: .never)
    let fix = try await clock.whileAdvancing {
      try await (hub as any LocationProvider).currentLocation(
        timeout: nil, retries: RetryPolicy(delays: [.seconds(7)], jitter: 0))
    }
    #expect(fix.coordinate == sydney.coordinate && source.connectionCount == 3)
    #expect(clock.locationClock.now.uptime == .seconds(14))
    let error = await #expect(throws: LocationError.self) {
      let source = ScriptedLocationSource(clock: clock, scripts: [.fail(gone)])
      let hub = LocationHub(source, retries: RetryPolicy(delays: [.seconds(1)], jitter: 0))
      return try await (hub as any LocationProvider).currentLocation(timeout: nil)
    }
    #expect(error == gone)
  }

  @Test func `asks once for the reports that its readers need`() async {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source, reports: [.pps])
    hub.start()
    await clock.settle()
    #expect(source.calls == [.connect(LocationRequest(reports: [.pps]))])
  }

  @Test func `keeps the contract from its connection on`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(.fix(sydney))])
    let hub = LocationHub(source, staleAfter: .seconds(360_000))
    var first = hub.connection()
    #expect(try await next(1, of: &first).count == 1)
    let found = await clock.whileAdvancing {
      await hub.contractViolations(reporting: [.fix(sydney)], then: .staysOpen)
    }
    #expect(found == [])
  }
}
