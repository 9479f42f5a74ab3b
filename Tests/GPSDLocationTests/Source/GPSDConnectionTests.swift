import GPSDLocation
import GPSDTestKit
import LocationCore
import Synchronization
import TestSupport
import Testing
import VirtualTimeTesting

/// Fault 49.
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Connection to a gpsd` {
  private let endpoint = GPSDEndpoint(host: "gps.local", port: 4711)

  /// Reads a source to its end. Returns its updates, and the error.
  private func read(
    _ session: some GPSDSession, device: String? = nil, clock: LocationClock = .live
  ) async -> (reads: [Polled<[TimedEvent]>], error: LocationError?) {
    let source = GPSDLocationSource(
      endpoint: endpoint, device: device, clock: clock, makeSession: { session })
    var connection = source.connection()
    var reads: [Polled<[TimedEvent]>] = []
    do throws(LocationError) {
      repeat { reads.append(try await connection.read(by: clock)) } while reads.last != .ended
      connection.close()
      return (reads, nil)
    } catch {
      return (reads, error)
    }
  }

  /// Fault 48.
  @Test func `connecting continues after a deadline, which ends only the wait`() async throws {
    let (clock, session) = (ManualClock(), SlowSession())
    let spy = SpySession(session)
    let source = GPSDLocationSource(
      endpoint: endpoint, clock: clock.locationClock, makeSession: { spy })
    let start = clock.locationClock.now
    let deadline = start.advanced(by: .seconds(1))
    var connection = source.connection()
    #expect(try await connection.read(until: .past, by: source.clock) == .quiet(at: start))
    async let advance: Void = {
      await clock.waitForSleepers()
      clock.jump(by: .seconds(1))
    }()
    #expect(try await connection.read(until: deadline, by: source.clock) == .quiet(at: deadline))
    await advance
    session.isOpen.send(())
    guard case .received = try await connection.read(by: source.clock) else {
      Issue.record("no report")
      return
    }
    #expect(spy.calls == [.open(endpoint), .send(.watch), .read])
  }

  @Test func `closed while it connects, it hangs up`() async throws {
    let spy = SpySession(SlowSession())
    var connection = GPSDLocationSource(endpoint: endpoint, makeSession: { spy }).connection()
    guard case .quiet = try await connection.read(until: .past) else {
      Issue.record("it waited")
      return
    }
    await ManualClock().settle()
    connection.close()
    #expect(try await connection.read() == .ended)
    #expect(spy.calls == [.open(endpoint), .close])
  }

  @Test func `cancelled while it connects, it ends`() async {
    let reading = Task { await read(SlowSession()) }
    await ManualClock().settle()
    reading.cancel()
    let (reads, error) = await reading.value
    #expect(reads == [.ended] && error == nil)
  }

  @Test func `cancelled before it is read, it does not connect`() async {
    let spy = SpySession()
    let reads = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await read(spy).reads
    }.value
    #expect(reads == [.ended])
    #expect(spy.calls == [])
  }

  @Test func `cancelled, it ends although its session has lines`() async throws {
    let reads = try await Task {
      var connection = GPSDLocationSource(makeSession: { HeedlessSession() }).connection()
      let first = try await connection.read()
      withUnsafeCurrentTask { $0?.cancel() }
      return [first, try await connection.read(), try await connection.read(until: .past)]
    }.value
    #expect(reads == [.event(.fix(Lines.fix(1)), at: .at(0)), .ended, .ended])
  }

  @Test func `closed before it is read, it does not connect`() async throws {
    let spy = SpySession()
    var connection = GPSDLocationSource(makeSession: { spy }).connection()
    connection.close()
    #expect(try await connection.read() == .ended)
    #expect(spy.calls == [])
  }

  @Test func `closed, it hangs up once`() async throws {
    let spy = SpySession(RecordedSession(lines: [Lines.tpv(1), Lines.tpv(2)]))
    var connection = GPSDLocationSource(makeSession: { spy }).connection()
    _ = try await connection.read()
    connection.close()
    connection.close()
    #expect(try await connection.read() == .ended)
    #expect(spy.calls.suffix(2) == [.read, .close])
  }

  /// Fault 48.
  @Test(arguments: ["", "   ", "\t"])
  func `empty lines are neither an answer nor a sign of life`(line: String) async {
    let lines = (1...99).map { (Double($0), PlayedSession.Step.line(line)) }
    let stranger = PlayedSession(lines)
    let unanswered = LocationError(.silent, "no answer from gpsd within 15.0 seconds")
    #expect(await read(stranger, clock: stranger.clock).error == unanswered)
    let gpsd = PlayedSession([(0, .line(Lines.version))] + lines)
    let silent = LocationError(.silent, "gpsd has been silent for 20.0 seconds")
    #expect(await read(gpsd, clock: gpsd.clock).error == silent)
  }

  @Test func `a caller's deadline comes before its doubts`() async throws {
    let session = PlayedSession([(1, .line(Lines.version))])
    var connection = GPSDLocationSource(clock: session.clock, makeSession: { session })
      .connection()
    _ = try await connection.read(by: session.clock)
    #expect(try await connection.read(until: .at(3), by: session.clock) == .quiet(at: .at(3)))
    #expect(try await connection.read(until: .at(12), by: session.clock) == .quiet(at: .at(12)))
    await #expect(throws: LocationError.self) {
      try await connection.read(until: .at(30), by: session.clock)
    }
  }

  @Test(
    arguments: [
      (
        [
          (0, .line("HTTP/1.1 400 Bad Request\r")),
          (0, .fail(LocationError(.disconnected, "closed"))),
        ], 0
      ),
      ([(1, .line("SSH-2.0-OpenSSH_9.2p1"))], 15),
      ([(0, .discarded(65_535)), (2, .discarded(1))], 2), ([(3, .discarded(65_536))], 3),
    ] as [([(Double, PlayedSession.Step)], Double)])
  func `a peer that is not gpsd is named`(steps: [(Double, PlayedSession.Step)], second: Double)
    async
  {
    let session = PlayedSession(steps)
    let (_, error) = await read(session, clock: session.clock)
    #expect(error?.code == .notAService)
    #expect(session.clock.now == .at(second))
  }

  @Test func `what a peer sends instead of a report is quoted once, before it is judged`() async {
    let other = PlayedSession([(1, .line("SSH-2.0-OpenSSH_9.2p1\r")), (2, .line("more"))])
    let (reads, _) = await read(other, clock: other.clock)
    #expect(reads == [.event(.notice("SSH-2.0-OpenSSH_9.2p1"), at: .at(1))])
    let gpsd = PlayedSession([(0, .line(Lines.version)), (1, .line("noise"))])
    let (late, _) = await read(gpsd, clock: gpsd.clock)
    #expect(late == [.event(.service(LocationService(name: "gpsd 3.22")), at: .at(0))])
  }

  @Test(arguments: [("localhost", true), ("127.0.0.1", true), ("::1", true), ("gps.local", false)])
  func `a local receiver whose device is gone is removed, and nothing is sent`(
    host: String, isHere: Bool
  ) async throws {
    let devices = Mutex(["/dev/a": DeviceNode(number: 1)])
    let session = PlayedSession([(1, .line(Lines.version)), (2, .line(Lines.tpv(2)))])
    let spy = SpySession(session)
    let source = GPSDLocationSource(
      endpoint: GPSDEndpoint(host: host), satellites: true, clock: session.clock,
      lookup: { path in devices.withLock { $0[path] } }, makeSession: { spy })
    var connection = source.connection()
    for _ in 1...2 { _ = try await connection.read(by: session.clock) }
    devices.withLock { $0 = [:] }
    guard isHere else {
      await #expect(throws: LocationError.self) {
        try await connection.read(until: .at(600), by: session.clock)
      }
      #expect(spy.calls.filter { $0 == .send(.devices) }.count == 1)
      return
    }
    let removed = try await connection.read(until: .at(600), by: session.clock)
    #expect(removed == .event(.removed(path: "/dev/a"), at: .at(4)))
    #expect(
      try await connection.read(until: .at(600), by: session.clock) == .quiet(at: .at(600)))
    #expect(!spy.calls.contains(.send(.devices)))
    devices.withLock { $0["/dev/a"] = DeviceNode(number: 2) }
    #expect(
      try await connection.read(until: .at(602), by: session.clock) == .quiet(at: .at(602)))
    #expect(spy.calls.filter { $0 == .send(.devices) }.count == 1)
  }
}

/// Opens only when the test says so.
private final class SlowSession: GPSDSession {
  let isOpen = Mailbox<Void>()

  func open(_ endpoint: GPSDEndpoint) async throws(LocationError) {
    guard case .value = await isOpen.take() else { throw LocationError(.cancelled, "cancelled") }
  }

  func send(_ command: GPSDCommand) {}
  func poll(at now: Moment) -> Polled<GPSDLines> { .lines(Lines.bytes(Lines.version), at: .at(0)) }
  func wait() -> Wait { Wait() }
  func close() {}
}

/// Has lines without end, and does not ask whether who waits for one is cancelled.
private struct HeedlessSession: GPSDSession {
  var isLive: Bool { false }
  func open(_ endpoint: GPSDEndpoint) {}
  func send(_ command: GPSDCommand) {}
  func poll(at now: Moment) -> Polled<GPSDLines> { .lines(Lines.bytes(Lines.tpv(1)), at: .at(0)) }
  func wait() -> Wait { Wait() }
  func close() {}
}
