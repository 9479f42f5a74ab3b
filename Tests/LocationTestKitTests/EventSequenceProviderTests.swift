import LocationCore
import LocationTestKit
import Synchronization
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Provider over a sequence of events` {
  private let clock = ManualClock()

  /// A scripted source without its own deadlines.
  private func sequential(
    _ source: ScriptedLocationSource
  ) -> EventSequenceProvider<LocationEvents> {
    EventSequenceProvider(clock: source.clock) { source.events() }
  }

  private func next(
    of connection: inout some LocationConnection, until deadline: Moment? = nil
  ) async throws(LocationError) -> TimedRead<[TimedEvent]> {
    try await connection.next(until: deadline, by: clock.locationClock)
  }

  private func sydney(at moment: Moment) -> TimedRead<[TimedEvent]> {
    .value([TimedEvent(.fix(Places.sydney), at: moment)], at: moment)
  }

  private func moment(_ seconds: Int) -> Moment {
    Moment(uptime: .seconds(seconds)).advanced(by: .zero)
  }

  @Test func `keeps the contract`() async {
    let events: [LocationEvent] = [.noFix(NoFix()), .fix(Places.sydney)]
    let steps = events.map(ScriptedLocationSource.Step.event)
    for (end, ending) in [
      ([.end], ContractEnding.ends), ([.fail(Places.gone)], .fails(.disconnected)),
      ([], .staysOpen),
    ] as [([ScriptedLocationSource.Step], ContractEnding)] {
      let clock = ManualClock()
      let source = ScriptedLocationSource(clock: clock, scripts: steps + end)
      let found = await clock.whileAdvancing {
        await sequential(source).contractViolations(reporting: events, then: ending)
      }
      #expect(found == [])
    }
  }

  @Test func `begins its sequence at the first read`() async throws {
    let source = ScriptedLocationSource(clock: clock, scripts: [.event(.fix(Places.sydney)), .end])
    let count = Mutex(0)
    let provider = EventSequenceProvider(clock: source.clock) {
      count.withLock { $0 += 1 }
      return source.events()
    }
    var connection = provider.connection()
    await clock.settle()
    #expect(count.withLock(\.self) == 0)
    for _ in 0..<2 { _ = try await next(of: &connection) }
    #expect(count.withLock(\.self) == 1)
    connection.close()
  }

  @Test func `an event that comes after its wait answers the next one`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.wait(.seconds(5)), .event(.fix(Places.sydney)), .end])
    var connection = sequential(source).connection()
    async let advanced: Void = advance(by: .seconds(2), sleepers: 2)
    let early = try await next(of: &connection, until: moment(2))
    await advanced
    #expect(early == .timedOut(at: clock.locationClock.now))
    clock.jump(by: .seconds(3))
    #expect(
      try await next(of: &connection)
        == sydney(at: clock.locationClock.now))
    #expect(source.connectionCount == 1)
  }

  @Test func `an event that came while its wait was given up is no older than the timeout`()
    async throws
  {
    // What the tasks read of the clock crosses: 10 s for the timeout, 9 s for the event.
    let seconds = Mutex(10)
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.wait(.seconds(1)), .event(.fix(Places.sydney)), .end])
    let provider = EventSequenceProvider(
      clock: LocationClock(
        now: { Moment(uptime: .seconds(seconds.withLock(\.self))) }, sleepUntil: { _ in })
    ) { source.events() }
    var connection = provider.connection()
    #expect(try connection.poll(at: moment(10)) == .quiet(at: moment(10)))
    await clock.waitForSleepers()
    seconds.withLock { $0 = 9 }
    await clock.advance(by: .seconds(1))
    #expect(
      try connection.poll(at: moment(10)) == .event(.fix(Places.sydney), at: moment(10)))
  }

  @Test func `an event has the moment at which it came, however late it is read`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.wait(.seconds(5)), .event(.fix(Places.sydney))])
    var connection = sequential(source).connection()
    #expect(try await next(of: &connection, until: .past) == .timedOut(at: clock.locationClock.now))
    await clock.waitForSleepers()
    clock.jump(by: .seconds(5))
    let arrival = clock.locationClock.now
    await clock.settle()
    clock.jump(by: .seconds(60))
    #expect(try await next(of: &connection) == sydney(at: arrival))
  }

  @Test func `a cancelled wait ends, and does not time out`() async throws {
    let source = ScriptedLocationSource(clock: clock)
    let task = Task { () throws(LocationError) in
      var connection = sequential(source).connection()
      return try await next(of: &connection, until: moment(10))
    }
    await clock.waitForSleepers()
    task.cancel()
    #expect(try await task.value == .ended)
  }

  @Test func `a connection that is dropped lets go of its sequence`() async throws {
    let ended = Mailbox<Void>()
    do {
      var connection = EventSequenceProvider { Endless(ended: ended) }.connection()
      #expect(try await next(of: &connection, until: .past) != .ended)
    }
    guard case .value = await ended.take() else {
      Issue.record("the sequence is still iterated")
      return
    }
  }

  /// Waits for ever, and says when it is cancelled.
  private struct Endless: AsyncSequence, AsyncIteratorProtocol {
    let ended: Mailbox<Void>

    func makeAsyncIterator() -> Endless { self }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LocationError) -> LocationEvent? {
      _ = await Mailbox<Void>().take()
      ended.send(())
      return nil
    }
  }

  private func advance(by duration: Duration, sleepers: Int) async {
    await clock.waitForSleepers(sleepers)
    clock.jump(by: duration)
  }
}
