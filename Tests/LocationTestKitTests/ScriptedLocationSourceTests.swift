import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Scripted location source` {
  private let clock = ManualClock()
  private var start: Moment { Moment(uptime: .zero) }

  private func poll(
    _ connection: inout some LocationConnection
  ) throws(LocationError) -> Polled<[TimedEvent]> {
    try connection.poll(at: clock.locationClock.now)
  }

  @Test func `plays its script and ends`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(.noFix(NoFix())), .event(.fix(Places.sydney)), .end])
    var events: [LocationEvent] = []
    for try await event in source.events() { events.append(event) }
    #expect(events == [.noFix(NoFix()), .fix(Places.sydney)])
  }

  @Test func `reports each step at its own moment, however late it is read`() async throws {
    let source = ScriptedLocationSource(
      clock: clock,
      scripts: [
        .wait(.seconds(1)), .event(.fix(Places.sydney)), .wait(.seconds(2)), .wait(.seconds(3)),
        .event(.fix(Places.zurich)), .wait(.seconds(1)), .end,
      ])
    var connection = source.connection()
    clock.jump(by: .seconds(60))
    let moments = [1, 6].map { start.advanced(by: .seconds($0)) }
    #expect(try poll(&connection) == .event(.fix(Places.sydney), at: moments[0]))
    #expect(try poll(&connection) == .event(.fix(Places.zurich), at: moments[1]))
    #expect(try poll(&connection) == .ended)
  }

  @Test func `stops waiting at a deadline and continues after it`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.wait(.seconds(2)), .event(.fix(Places.sydney)), .end])
    var connection = source.connection()
    async let advanced: Void = advance(by: .seconds(1))
    let early = try await connection.next(
      until: start.advanced(by: .seconds(1)), by: clock.locationClock)
    await advanced
    #expect(early == .timedOut(at: clock.locationClock.now))
    #expect(try poll(&connection) == .quiet(at: clock.locationClock.now))
    clock.jump(by: .seconds(1))
    #expect(try poll(&connection) == .event(.fix(Places.sydney), at: clock.locationClock.now))
  }

  private func advance(by duration: Duration) async {
    await clock.waitForSleepers()
    clock.jump(by: duration)
  }

  @Test func `gives each connection the next script and repeats the last`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.fail(Places.gone)], [.event(.fix(Places.zurich)), .end])
    var outcomes: [String] = []
    for _ in 0..<3 {
      do {
        for try await _ in source.events() { outcomes.append("fix") }
      } catch {
        outcomes.append(error.code.rawValue)
      }
    }
    #expect(outcomes == ["disconnected", "fix", "fix"])
    #expect(source.connectionCount == 3)
  }

  @Test func `a location that is forced wakes who waits`() async throws {
    let source = ScriptedLocationSource(clock: clock)
    async let first = source.events().first { _ in true }
    await clock.settle()
    source.forceLocation(Places.sydney)
    #expect(try await first == .fix(Places.sydney))
  }

  @Test func `an error that is forced ends the connection alone`() async throws {
    let source = ScriptedLocationSource(clock: clock)
    source.forceError(Places.gone)
    var connection = source.connection()
    #expect(throws: Places.gone) { try poll(&connection) }
    #expect(try poll(&connection) == .ended)
    source.forceLocation(Places.zurich)
    var next = source.connection()
    #expect(
      try poll(&next)
        == .event(.fix(Places.zurich), at: clock.locationClock.now))
  }

  @Test func `what is forced comes between the steps of the script`() async throws {
    let source = ScriptedLocationSource(
      clock: clock,
      scripts: [
        .wait(.seconds(1)), .event(.notice("one")), .wait(.seconds(2)), .event(.notice("3")), .end,
      ])
    var connection = source.connection()
    source.force(.notice("two"), after: .seconds(2))
    clock.jump(by: .seconds(3))
    var words: [LocationEvent] = []
    while case .received(let events) = try poll(&connection) {
      words += events.map(\.event)
    }
    #expect(words == [.notice("one"), .notice("two"), .notice("3")])
  }

  @Test func `what is forced before a connection is made waits for it`() async throws {
    let source = ScriptedLocationSource(clock: clock)
    #expect(source.keepsMissedSteps)
    source.forceLocation(Places.sydney)
    var connection = source.connection()
    #expect(try poll(&connection) == .event(.fix(Places.sydney), at: start))
    connection.close()
    source.forceLocation(Places.zurich)
    connection = source.connection()
    #expect(try poll(&connection) == .event(.fix(Places.zurich), at: start))
  }

  @Test func `what is due while no connection is open can be missed`() async throws {
    let source = ScriptedLocationSource(clock: clock)
    source.keepsMissedSteps = false
    source.force(.notice("before any"))
    var connection = source.connection()
    source.force(.notice("open"))
    for second in 1...4 { source.force(.notice("\(second)"), after: .seconds(second)) }
    #expect(try poll(&connection) == .event(.notice("open"), at: start))
    clock.jump(by: .seconds(1))
    connection.close()
    clock.jump(by: .seconds(2))
    source.force(.notice("closed"))
    connection = source.connection()
    let other = source.connection()
    // 1 was due while the connection was open, but was not read; 2 was due while none was; 3 is due now.
    let three = start.advanced(by: .seconds(3))
    #expect(try poll(&connection) == .event(.notice("3"), at: three))
    connection.close()
    source.force(.notice("open elsewhere"))
    connection = other
    #expect(try poll(&connection) == .event(.notice("open elsewhere"), at: three))
    source.forceError(Places.gone)
    #expect(throws: Places.gone) { try poll(&connection) }
    source.force(.notice("failed"))
    clock.jump(by: .seconds(1))
    connection = source.connection()
    #expect(
      try poll(&connection)
        == .event(.notice("4"), at: start.advanced(by: .seconds(4))))
    #expect(try poll(&connection) == .quiet(at: clock.locationClock.now))
  }

  @Test func `random locations are the same for a seed, near, and apart`() async throws {
    let center = Places.zurich.coordinate
    let seconds = Duration.seconds(1)...Duration.seconds(3)
    let source = ScriptedLocationSource(clock: clock)
    let fixes = source.forceRandomDelayedLocations(20, around: center, delays: seconds, seed: 7)
    let others = [7, 8].map { seed in
      ScriptedLocationSource(clock: clock).forceRandomDelayedLocations(
        20, around: center, delays: seconds, seed: seed)
    }
    #expect(others[0] == fixes)
    #expect(others[1] != fixes)
    #expect(fixes.allSatisfy { $0.coordinate.distance(to: center) <= 100 * 2.squareRoot() + 0.1 })
    let times = fixes.compactMap(\.time)
    let steps = zip(times, times.dropFirst()).map { $0.duration(to: $1) }
    #expect(steps.allSatisfy(seconds.contains))

    clock.jump(by: .seconds(60))
    var connection = source.connection()
    var read: [LocationEvent] = []
    // They were due before there was a connection, so they come together.
    if case .received(let events) = try poll(&connection) {
      read += events.map(\.event)
    }
    #expect(read == fixes.map(LocationEvent.fix))
  }

  @Test func `location unknown comes late, and the connection stays open`() async throws {
    let source = ScriptedLocationSource(clock: clock)
    var connection = source.connection()
    source.loseFix(after: .seconds(5), device: "/dev/ttyACM0")
    #expect(try poll(&connection) == .quiet(at: clock.locationClock.now))
    clock.jump(by: .seconds(5))
    let now = clock.locationClock.now
    #expect(
      try poll(&connection)
        == .event(.noFix(NoFix(device: "/dev/ttyACM0", time: now.wall)), at: now))
    #expect(try poll(&connection) == .quiet(at: now))
  }

  @Test func `scripts are woken in the order in which they were made, and before others`() async {
    let sources = (0..<3).map { _ in
      ScriptedLocationSource(
        clock: clock, scripts: [.wait(.seconds(1)), .event(.noFix(NoFix())), .end])
    }
    let order = Collector<Int>()
    var tasks = [
      Task {
        try? await clock.sleep(for: .seconds(1))
        order.add(9)
      }
    ]
    await clock.waitForSleepers(1)
    for (count, index) in [2, 0, 1].enumerated() {
      tasks.append(
        Task {
          var connection = sources[index].connection()
          _ = try? await connection.next(until: nil, by: sources[index].clock)
          order.add(index)
        })
      await clock.waitForSleepers(count + 2)
    }
    await clock.advance(by: .seconds(1))
    for task in tasks { await task.value }
    #expect(order.values == [0, 1, 2, 9])
  }
}

/// The order in which tasks continue is that of the first schedule alone.
@Suite struct `Scripted location source, in the first schedule` {
  @Test func `connections, and the readers of a hub, are woken in the order in which they began`()
    async throws
  {
    try await withVirtualTime { clock in
      let source = ScriptedLocationSource(clock: clock)
      let hub = LocationHub(source)
      let order = Collector<Int>()
      let readers = (0..<8).map { number in
        Task {
          for try await _ in hub.updates() { order.add(number) }
          order.add(number)
        }
      }
      await clock.settle()
      _ = await order.rest(by: clock)
      source.force(.noFix(NoFix()))
      #expect(await order.rest(by: clock).prefix(8) == [0, 1, 2, 3, 4, 5, 6, 7])
      hub.stop()
      #expect(await order.rest(by: clock) == [0, 1, 2, 3, 4, 5, 6, 7])
      for reader in readers { _ = await reader.result }
      let connected = (0..<8).map { number in
        Task {
          var connection = source.connection()
          _ = try? await connection.next(until: nil, by: source.clock)
          order.add(number)
        }
      }
      await clock.settle()
      source.force(.noFix(NoFix()))
      #expect(await order.rest(by: clock).first == 0)
      for connection in connected { connection.cancel() }
    }
  }

  @Test func `the best of several ends its connections in the order of its providers`() async throws
  {
    try await withVirtualTime { clock in
      let order = Collector<Int>()
      let best = BestLocationProvider(
        (0..<8).map { number in
          (
            "\(number)",
            ClosingProvider(base: ScriptedLocationSource(clock: clock)) { order.add(number) }
          )
        })
      let reading = Task { for try await _ in best.updates() {} }
      await clock.settle()
      reading.cancel()
      try await reading.value
      #expect(order.values == Array(0..<8))
    }
  }
}

/// Calls a closure when a connection is closed.
private struct ClosingProvider: LocationProvider {
  let base: ScriptedLocationSource
  let willClose: @Sendable () -> Void

  var clock: LocationClock { base.clock }

  func connection(for request: LocationRequest) -> Connection {
    Connection(base: base.connection(for: request), willClose: willClose)
  }

  struct Connection: LocationConnection {
    var base: any LocationConnection
    let willClose: @Sendable () -> Void

    mutating func poll(at now: Moment) throws(LocationError) -> Polled<[TimedEvent]> {
      try base.poll(at: now)
    }

    mutating func wait() -> Wait { base.wait() }

    mutating func close() {
      willClose()
      base.close()
    }
  }
}
