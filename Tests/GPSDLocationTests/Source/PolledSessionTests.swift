import GPSDLocation
import LocationCore
import Testing

@Suite struct `The read of a session that is polled` {
  private let some = GPSDLines(bytes: Lines.bytes("a"), received: .at(1))
  private let read = TimedRead.lines(Lines.bytes("a"), at: .at(1))
  private let end = LocationError(.disconnected, "closed by gpsd")

  @Test func `waits before each poll but the first, until lines have come`() async throws {
    let session = PolledSession([some, nil, nil, some])
    session.fail(with: end)
    #expect(try await session.read(until: nil) == read)
    #expect(session.waitCount == 0)
    // Not every wait that ends has brought lines.
    let limit = LocationClock.live.now.advanced(by: .seconds(1000))
    #expect(try await session.read(until: limit) == read)
    #expect(session.waitCount == 2)
    await #expect(throws: end) { try await session.read(until: nil) }
  }

  @Test func `ends at its deadline, but returns what has come by then`() async throws {
    let session = PolledSession([nil, nil, nil, some])
    let start = LocationClock.live.now
    guard case .timedOut(let moment) = try await session.read(until: .past) else {
      Issue.record("no time-out")
      return
    }
    #expect(start <= moment && session.waitCount == 1)
    #expect(try await session.read(until: .past) == read)
  }

  @Test func `polls once more if there is no wait`() async throws {
    let session = PolledSession([nil, some, nil, nil], hasWaits: false)
    #expect(try await session.read(until: nil) == read)
    #expect(try await session.read(until: nil) == .ended)
  }

  @Test func `ends without a poll when its task is cancelled`() async throws {
    let session = PolledSession([some])
    let reading = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await session.read(until: nil)
    }
    #expect(try await reading.value == .ended)
    #expect(try await session.read(until: nil) == read)
  }
}
