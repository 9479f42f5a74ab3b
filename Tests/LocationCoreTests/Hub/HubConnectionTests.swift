import LocationCore
import LocationTestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A hub as a provider` {
  private let clock = ManualClock()
  private let sydney = LocationFix.at(latitude: -33.85, longitude: 151.21)
  private let zurich = LocationFix.at(latitude: 47.37, longitude: 8.54)

  private func next(
    _ count: Int, of connection: inout HubConnection
  ) async throws(LocationError) -> [String] {
    var events: [String] = []
    while events.count < count {
      guard case .value(let read, _) = try await connection.next(until: nil) else { break }
      events += read.map(\.event.description)
    }
    return events
  }

  @Test func `shares its connection with monitors, fleets and coordinators`() async throws {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source)
    let harbour = Region.circle("harbour", around: sydney.coordinate, radius: 500)
    let presences = Collector<String>()
    let names = Collector<String>()
    let watching = Task {
      var events = hub.regionEvents([harbour]).makeAsyncIterator()
      while let event = try? await events.next() { presences.add(event.presence.rawValue) }
    }
    let following = Task {
      for await (name, update) in LocationFleet([("ship", hub)]) {
        if case .fix(let fix) = update { names.add("\(name) \(fix.coordinate.latitude)") }
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
    #expect(await names.next() == ["ship -33.85"])
    #expect(await fixes.next() == [-33.85])
    source.forceLocation(zurich)
    #expect(await presences.next() == ["outside"])
    #expect(await names.next() == ["ship 47.37"])
    #expect(await fixes.next() == [47.37])
    #expect(source.connectionCount == 1)
    watching.cancel()
    following.cancel()
    await coordinator.stop()
    await watching.value
    await following.value
    #expect(hub.state == .fix3D)
  }

  @Test func `begins with what is known, and loses no fix to a slow reader`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(.noFix(NoFix(device: "a"))), .stayOpen])
    let hub = LocationHub(source)
    hub.start()
    await clock.settle()
    var connection = hub.connection()
    #expect(try await next(1, of: &connection) == ["no fix of a"])
    for latitude in 1...5 { source.forceLocation(.at(latitude: Double(latitude), longitude: 8)) }
    await clock.settle()
    let fixes = try await next(5, of: &connection)
    #expect(fixes.map { $0.prefix(8) } == (1...5).map { "fix 3D \($0)" })
    await connection.close()
    #expect(try await connection.next(until: nil) == .ended)
    #expect(hub.isConnected)
  }

  @Test func `tells each state by an event`() async throws {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source)
    var connection = hub.connection()
    let now = clock.locationClock.now
    #expect(try await connection.next(until: now) == .timedOut(at: now))
    #expect(!hub.isConnected)
    source.force(.service(LocationService(name: "gpsd 3.25")))
    source.force(.receivers([]))
    source.force(.receiver(Receiver(path: "a")))
    source.force(.fix(.at(latitude: 1, longitude: 2, device: "a")))
    source.force(.noFix(NoFix(device: "a")))
    source.force(.removed(path: "a"))
    source.force(.selected("stern", previous: "bow"))
    let events = try await next(9, of: &connection)
    #expect(
      events.map { $0.prefix { $0 != "," } } == [
        "service gpsd 3.25", "receivers []", "receivers []", "receiver a", "fix 3D 1.0",
        "no fix of a", "removed a", "removed a", "selected stern",
      ])
    #expect(hub.isConnected)
  }

  @Test func `fails with the hub's connection, until the hub has another one`() async throws {
    let gone = LocationError(.disconnected, "gone")
    let source = ScriptedLocationSource(clock: clock, scripts: [.fail(gone)], [.stayOpen])
    let hub = LocationHub(source, retries: RetryPolicy(delays: [.seconds(10)], jitter: 0))
    for _ in 1...2 {
      await #expect(throws: gone) {
        var connection = hub.connection()
        _ = try await connection.next(until: nil)
      }
    }
    #expect(!hub.isConnected)
    let fix = try await clock.whileAdvancing {
      source.force(.fix(sydney), after: .seconds(11))
      return try await (hub as any LocationProvider).currentLocation(
        retries: RetryPolicy(delays: [.seconds(1)], jitter: 0))
    }
    #expect(fix.coordinate == sydney.coordinate)
    #expect(clock.locationClock.now.uptime >= .seconds(11))
    #expect(source.connectionCount == 2)
  }

  @Test func `asks once for the reports that its readers need`() async {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source, reports: [.pps])
    hub.start()
    await clock.settle()
    #expect(source.calls == [.connect(LocationRequest(reports: [.pps]))])
  }

  @Test func `keeps the contract from its connection on`() async {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(.fix(sydney)), .stayOpen])
    // The check lets time pass, as much as there are deadlines, in which the fix would be lost.
    let hub = LocationHub(source, staleAfter: .seconds(86_400 * 3650))
    hub.start()
    await clock.settle()
    let found = await clock.whileAdvancing {
      await hub.contractViolations(reporting: [.fix(sydney)], then: .staysOpen)
    }
    #expect(found == [])
  }
}
