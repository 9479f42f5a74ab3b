import LocationCore
import LocationTestKit
import Synchronization
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Location hub` {
  private let clock = ManualClock()
  private static let sydney = LocationFix.at(latitude: -33.85, longitude: 151.21)
  private static let zurich = LocationFix.at(latitude: 47.37, longitude: 8.54)

  private func text(_ update: LocationUpdate) -> String {
    switch update {
    case .state(let change): change.state.rawValue
    case .fix(let fix): "\(fix.coordinate.latitude)"
    case .change, .retry, .event: "other"
    }
  }

  @Test func `1,000 requests at once are one connection`() async throws {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source)
    async let found = withTaskGroup(of: LocationFix?.self) { group in
      for _ in 0..<1000 { group.addTask { try? await hub.currentLocation(timeout: nil) } }
      return await group.reduce(into: [LocationFix?]()) { $0.append($1) }
    }
    await clock.settle()
    source.forceLocation(Self.sydney)
    let fixes = await found
    #expect(fixes.count == 1000)
    #expect(Set(fixes.map { $0?.coordinate }) == [Self.sydney.coordinate])
    #expect(source.connectionCount == 1)
    #expect(hub.location?.coordinate == Self.sydney.coordinate)
    #expect(hub.state == .fix3D)
    // And one that comes later does not wait.
    #expect(try await hub.currentLocation(timeout: .zero).coordinate == Self.sydney.coordinate)
  }

  @Test func `a slow reader finds the latest fix and every state, and counts what it missed`()
    async throws
  {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source)
    var slow = hub.latestUpdates().makeAsyncIterator()
    #expect(try await slow.next().map(text) == "connecting")
    for number in 1...5 {
      source.forceLocation(.at(latitude: Double(number), longitude: 8))
    }
    source.loseFix(after: .zero)
    for number in 6...9 {
      source.forceLocation(.at(latitude: Double(number), longitude: 8))
    }
    source.forceError(LocationError(.disconnected, "gone"))
    await clock.settle()
    var heard: [String] = []
    for _ in 1...5 { heard.append(try await slow.next().map(text) ?? "end") }
    #expect(heard == ["fix-3d", "lost", "fix-3d", "9.0", "no-daemon"])
    #expect(slow.droppedCount == 8)
    #expect(hub.location == nil)
    #expect(hub.state == .noService)
  }

  @Test func `a reader that joins receives the states and the fix first`() async throws {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source)
    hub.start()
    source.forceLocation(Self.zurich)
    await clock.settle()
    var reader = hub.latestUpdates().makeAsyncIterator()
    var heard: [String] = []
    for _ in 1...2 { heard.append(try await reader.next().map(text) ?? "end") }
    #expect(heard == ["fix-3d", "47.37"])
    #expect(source.connectionCount == 1)
    source.forceLocation(Self.sydney)
    #expect(try await reader.next().map(text) == "-33.85")
  }

  @Test func `ends its readers when it is stopped, and connects again for the next one`()
    async throws
  {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source)
    let reading = Task { () throws(LocationError) in
      var reader = hub.latestUpdates().makeAsyncIterator()
      var count = 0
      while try await reader.next() != nil { count += 1 }
      return count
    }
    source.forceLocation(Self.sydney)
    await clock.settle()
    hub.stop()
    #expect(try await reading.value == 3)
    #expect(hub.location == nil)
    #expect(hub.state == nil)
    await clock.settle()
    #expect(source.calls == [.connect(LocationRequest()), .close])
    source.forceLocation(Self.zurich)
    #expect(try await hub.currentLocation(timeout: nil).coordinate == Self.zurich.coordinate)
    #expect(source.connectionCount == 2)
  }

  @Test func `closes its connection before it makes the next one`() async {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source)
    hub.start()
    await clock.settle()
    hub.stop()
    hub.start()
    await clock.settle()
    #expect(source.calls == [.connect(LocationRequest()), .close, .connect(LocationRequest())])
  }

  @Test func `leaves out of the latest updates the fixes that a request excludes`() async throws {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source)
    var reader = hub.latestUpdates(LocationRequest(distanceFilter: 1000)).makeAsyncIterator()
    #expect(try await reader.next().map(text) == "connecting")
    var heard: [String] = []
    for latitude in [1.0, 1.001, 2] {
      source.forceLocation(.at(latitude: latitude, longitude: 8))
      await clock.settle()
    }
    // The place of a fix before a loss does not count after it.
    for _ in 1...2 { heard.append(try await reader.next().map(text) ?? "end") }
    source.loseFix(after: .zero)
    source.forceLocation(.at(latitude: 2, longitude: 8))
    await clock.settle()
    for _ in 1...3 { heard.append(try await reader.next().map(text) ?? "end") }
    #expect(heard == ["fix-3d", "2.0", "lost", "fix-3d", "2.0"])
  }

  @Test func `a request that waits learns that the hub was stopped`() async {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source)
    let search = Task { () throws(LocationError) in try await hub.currentLocation(timeout: nil) }
    await clock.settle()
    hub.stop()
    await #expect(
      throws: LocationError(.stopped, "the hub was stopped before there was a fix")
    ) { try await search.value }
    // The end of a provider is none.
    let ended = LocationHub(ScriptedLocationSource(clock: clock, scripts: [.end]))
    await #expect(
      throws: LocationError(.disconnected, "the source ended without a fix")
    ) { try await ended.currentLocation(timeout: nil) }
  }

  @Test
  func `fails fast on request, at the first failure and without a connection`() async throws {
    let gone = LocationError(.unreachable, "nobody listens")
    let source = ScriptedLocationSource(clock: clock, scripts: [.fail(gone)], [])
    let hub = LocationHub(source, retries: RetryPolicy(delays: [.seconds(1)], jitter: 0))
    await #expect(throws: gone) { try await hub.currentLocation(timeout: nil, failsFast: true) }
    await #expect(throws: gone) { try await hub.currentLocation(timeout: nil, failsFast: true) }
    async let patient = hub.currentLocation(timeout: nil)
    await clock.settle()
    source.forceLocation(Self.zurich, after: .seconds(5))
    await clock.advance(by: .seconds(6))
    #expect(try await patient.coordinate == Self.zurich.coordinate)
    #expect(source.connectionCount == 2)
  }

  @Test func `a run that is stopped changes nothing once another one began`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(.fix(Self.sydney))],
      [.wait(.seconds(1)), .event(.fix(Self.zurich))])
    let restart = Mutex<(@Sendable () -> Void)?>(nil)
    let hub = LocationHub(PolledProvider(base: source) { restart.withLock { $0.take() }?() })
    restart.withLock { restart in
      restart = { [weak hub] in
        hub?.stop()
        hub?.start()
      }
    }
    hub.start()
    await clock.settle()
    // The first connection has brought a position, but the hub was stopped and started meanwhile.
    #expect((hub.location, hub.lastKnownLocation?.fix, hub.state) == (nil, nil, .connecting))
    let connect = ScriptedLocationSource.Call.connect(LocationRequest())
    #expect(source.calls == [connect, .close, connect])
    await clock.advance(by: .seconds(1))
    #expect(hub.location?.coordinate == Self.zurich.coordinate)
  }

  @Test func `throws an error to each reader when the policy gives up`() async {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.wait(.seconds(1)), .fail(LocationError(.unreachable, "refused"))])
    let hub = LocationHub(source, retries: .never)
    let errors = await clock.whileAdvancing {
      await withTaskGroup(of: LocationError?.self) { group in
        for _ in 0..<3 {
          group.addTask {
            do throws(LocationError) {
              _ = try await hub.currentLocation(timeout: nil)
              return nil
            } catch {
              return error
            }
          }
        }
        return await group.reduce(into: [LocationError?]()) { $0.append($1) }
      }
    }
    #expect(errors.map { $0?.code } == [.unreachable, .unreachable, .unreachable])
  }

  @Test func `a request times out and is cancelled by itself`() async {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source)
    let late = await clock.whileAdvancing {
      await #expect(throws: LocationError.self) {
        try await hub.currentLocation(timeout: .seconds(5))
      }
    }
    #expect(late?.code == .timedOut)
    let request = Task { try await hub.currentLocation(timeout: nil) }
    request.cancel()
    await #expect(throws: LocationError(.cancelled, "cancelled before there was a fix")) {
      try await request.value
    }
  }

  @Test func `disconnects when it is released`() async {
    let source = ScriptedLocationSource(clock: clock)
    var hub: LocationHub? = LocationHub(source)
    hub?.start()
    await clock.settle()
    hub = nil
    await clock.settle()
    #expect(source.calls == [.connect(LocationRequest()), .close])
  }
}

/// Calls a closure whenever a connection is polled.
private struct PolledProvider: LocationProvider {
  let base: ScriptedLocationSource
  let willPoll: @Sendable () -> Void

  var clock: LocationClock { base.clock }

  func connection(for request: LocationRequest) -> Connection {
    Connection(base: base.connection(for: request), willPoll: willPoll)
  }

  struct Connection: LocationConnection {
    var base: any LocationConnection
    let willPoll: @Sendable () -> Void

    mutating func poll(at now: Moment) throws(LocationError) -> Polled<[TimedEvent]> {
      willPoll()
      return try base.poll(at: now)
    }

    mutating func wait() -> Wait { base.wait() }
    mutating func close() { base.close() }
  }
}
