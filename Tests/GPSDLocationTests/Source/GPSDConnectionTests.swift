import GPSDLocation
import LocationCore
import LocationTestKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Connection to a gpsd` {
  private let endpoint = GPSDEndpoint(host: "gps.local", port: 4711)

  /// Reads a source to its end. Returns what it told, and the error.
  private func read(
    _ session: some GPSDSession, device: String? = nil
  ) async -> (reads: [LocationRead], error: LocationError?) {
    let source = GPSDLocationSource(endpoint: endpoint, device: device, session: session)
    var connection = source.connection()
    var reads: [LocationRead] = []
    do throws(LocationError) {
      repeat { reads.append(try await connection.next(until: nil)) } while reads.last != .ended
      return (reads, nil)
    } catch {
      return (reads, error)
    }
  }

  @Test func `asks to watch before it reads, and hangs up at the end`() async {
    let spy = SpySession(RecordedSession(lines: [Lines.version, "", Lines.watch, Lines.tpv(1)]))
    let (reads, error) = await read(spy)
    #expect(
      spy.calls == [.open(endpoint), .send(.watch)] + Array(repeating: .read, count: 5) + [.close])
    #expect(
      reads == [
        .event(.service(LocationService(name: "gpsd 3.22")), at: .at(0)),
        .event(.fix(Lines.fix(1)), at: .at(0)), .ended,
      ])
    #expect(error == nil)
  }

  @Test func `asks for one receiver, and for all where that is refused`() async {
    let spy = SpySession(RecordedSession(lines: [Lines.refusal, Lines.watch]))
    let (reads, _) = await read(spy, device: "/dev/a")
    #expect(
      spy.calls == [
        .open(endpoint), .send(.watch(device: "/dev/a")), .read, .send(.watch), .read, .read,
        .close,
      ])
    #expect(
      reads.first
        == .event(.refused(path: "/dev/a", reason: "Do nothing: /dev/a"), at: .at(0)))
  }

  @Test func `hangs up where it could not connect`() async {
    let refused = GPSDError(.cannotConnect, number: 111, "refused")
    let spy = SpySession(
      FailingSession(open: { _ throws(GPSDError) in throw refused }, close: {}))
    let (_, error) = await read(spy)
    #expect(error == LocationError(.unreachable, number: 111, "refused"))
    #expect(spy.calls == [.open(endpoint), .close])
  }

  @Test func `cancelled while it connects, it ends`() async {
    let spy = SpySession(
      FailingSession(
        open: { _ throws(GPSDError) in throw GPSDError(.cancelled, "cancelled") }, close: {}))
    let (reads, error) = await read(spy)
    #expect(reads == [.ended])
    #expect(error == nil)
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

  @Test(arguments: [false, true])
  func `cancelled, it ends although its session has lines`(isBuffered: Bool) async throws {
    let reads = try await Task {
      var connection = GPSDLocationSource(session: HeedlessSession()).connection()
      var reads: [LocationRead?] = [try await connection.next(until: nil)]
      withUnsafeCurrentTask { $0?.cancel() }
      if isBuffered { reads.append(connection.nextBuffered(until: nil)) }
      reads.append(try await connection.next(until: nil))
      reads.append(connection.nextBuffered(until: nil))
      return reads
    }.value
    let first = LocationRead.event(.fix(Lines.fix(1)), at: .at(0))
    #expect(reads == [first] + (isBuffered ? [nil] : []) + [.ended, nil])
  }

  @Test func `closed before it is read, it does not connect`() async throws {
    let spy = SpySession()
    var connection = GPSDLocationSource(session: spy).connection()
    await connection.close()
    #expect(try await connection.next(until: nil) == .ended)
    #expect(spy.calls == [])
  }

  @Test func `closed, it hangs up once`() async throws {
    let spy = SpySession(RecordedSession(lines: [Lines.tpv(1), Lines.tpv(2)]))
    var connection = GPSDLocationSource(session: spy).connection()
    _ = try await connection.next(until: nil)
    await connection.close()
    await connection.close()
    #expect(try await connection.next(until: nil) == .ended)
    #expect(spy.calls.suffix(2) == [.read, .close])
  }

  @Test func `asks a gpsd that fell silent, and gives it up`() async {
    let spy = SpySession(PlayedSession([(1, .line(Lines.version)), (2, .line(Lines.tpv(2)))]))
    let (reads, error) = await read(spy)
    #expect(error == LocationError(.silent, "gpsd has been silent for 20.0 seconds"))
    #expect(reads.last == .event(.fix(Lines.fix(2)), at: .at(2)))
    #expect(
      spy.calls == [
        .open(endpoint), .send(.watch), .read, .read, .read, .send(.devices), .read, .close,
      ])
  }

  @Test func `a gpsd that never answers is given up after 15 s`() async {
    let session = PlayedSession([])
    let (_, error) = await read(session)
    #expect(error?.code == .silent)
    #expect(session.clock.now == .at(15))
  }

  @Test func `a caller's deadline comes before its doubts`() async throws {
    var connection = GPSDLocationSource(session: PlayedSession([(1, .line(Lines.version))]))
      .connection()
    _ = try await connection.next(until: nil)
    #expect(try await connection.next(until: .at(3)) == .timedOut(at: .at(3)))
    #expect(try await connection.next(until: .at(12)) == .timedOut(at: .at(12)))
    await #expect(throws: LocationError.self) { try await connection.next(until: .at(30)) }
  }

  @Test(
    arguments: [
      ([(0, .line("HTTP/1.1 400 Bad Request\r")), (0, .fail(GPSDError(.hungUp, "closed")))], 0),
      ([(1, .line("SSH-2.0-OpenSSH_9.2p1"))], 15),
      ([(0, .discarded(65_535)), (2, .discarded(1))], 2), ([(3, .discarded(65_536))], 3),
    ] as [([(Double, PlayedSession.Step)], Double)])
  func `what is no gpsd is told as that`(steps: [(Double, PlayedSession.Step)], second: Double)
    async
  {
    let session = PlayedSession(steps)
    let (_, error) = await read(session)
    #expect(error?.code == .notAService)
    #expect(session.clock.now == .at(second))
  }

  @Test func `what is said instead of a report is told once, before it is certain`() async {
    let (reads, _) = await read(
      PlayedSession([(1, .line("SSH-2.0-OpenSSH_9.2p1\r")), (2, .line("more"))]))
    #expect(reads == [.event(.notice("SSH-2.0-OpenSSH_9.2p1"), at: .at(1))])
    let (late, _) = await read(PlayedSession([(0, .line(Lines.version)), (1, .line("noise"))]))
    #expect(late == [.event(.service(LocationService(name: "gpsd 3.22")), at: .at(0))])
  }

  @Test func `a gpsd that hangs up in the middle is an error`() async {
    let (reads, error) = await read(
      PlayedSession([
        (0, .line(Lines.version)), (1, .line(Lines.tpv(1))), (1, .discarded(7)),
        (1, .fail(GPSDError(.hungUp, number: 104, "reset by gpsd"))),
      ]))
    #expect(reads.count == 2)
    #expect(error == LocationError(.disconnected, number: 104, "reset by gpsd"))
  }

  @Test(arguments: [("localhost", true), ("127.0.0.1", true), ("::1", true), ("gps.local", false)])
  func `a receiver of this machine whose device is gone is removed, without a word`(
    host: String, isHere: Bool
  ) async throws {
    let devices = Mutex(["/dev/a": DeviceNode(number: 1)])
    let spy = SpySession(PlayedSession([(1, .line(Lines.version)), (2, .line(Lines.tpv(2)))]))
    let source = GPSDLocationSource(
      endpoint: GPSDEndpoint(host: host), lookup: { path in devices.withLock { $0[path] } },
      session: spy)
    var connection = source.connection()
    _ = try await connection.next(until: nil)
    _ = try await connection.next(until: nil)
    devices.withLock { $0 = [:] }
    guard isHere else {
      await #expect(throws: LocationError.self) { try await connection.next(until: .at(600)) }
      #expect(spy.calls.filter { $0 == .send(.devices) }.count == 1)
      return
    }
    let removed = try await connection.next(until: .at(600))
    #expect(removed == .event(.removed(path: "/dev/a"), at: .at(4)))
    #expect(try await connection.next(until: .at(600)) == .timedOut(at: .at(600)))
    #expect(!spy.calls.contains(.send(.devices)))
    devices.withLock { $0["/dev/a"] = DeviceNode(number: 2) }
    #expect(try await connection.next(until: .at(602)) == .timedOut(at: .at(602)))
    #expect(spy.calls.filter { $0 == .send(.devices) }.count == 1)
  }
}

/// Has lines without end, and does not ask whether who waits for one is cancelled.
private struct HeedlessSession: GPSDSession {
  private var line: GPSDRead {
    .line(GPSDLine(bytes: Lines.bytes(Lines.tpv(1)), received: .at(0)))
  }

  var isLive: Bool { false }
  func open(_ endpoint: GPSDEndpoint) {}
  func send(_ command: GPSDCommand) {}
  func read(until deadline: Moment?) -> GPSDRead { line }
  func readBuffered() -> GPSDRead? { Task.isCancelled ? nil : line }
  func close() {}
}
