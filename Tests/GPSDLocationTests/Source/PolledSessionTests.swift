import GPSDLocation
import LocationCore
import Synchronization
import Testing

@Suite struct `The read of a session that is polled` {
  /// A session with given polls.
  private final class Session: GPSDSession, Arrival {
    private struct State {
      var polls: [String?]
      var waits = 0
    }

    private let state: Mutex<State>
    private let hasWaits: Bool
    static let end = LocationError(.disconnected, "closed by gpsd")

    /// - Parameters:
    ///   - polls: What the polls return, one after the other; the next one fails.
    ///   - hasWaits: Whether there are waits, which all end at once.
    init(_ polls: [String?], hasWaits: Bool = true) {
      state = Mutex(State(polls: polls))
      self.hasWaits = hasWaits
    }

    var waits: Int { state.withLock(\.waits) }

    func open(_ endpoint: GPSDEndpoint) {}
    func send(_ command: GPSDCommand) {}
    func close() {}

    func poll() throws(LocationError) -> GPSDLines? {
      try state.withLock { state throws(LocationError) in
        guard !state.polls.isEmpty else { throw Self.end }
        return state.polls.removeFirst().map {
          GPSDLines(bytes: Lines.bytes($0), received: .at(1))
        }
      }
    }

    func arrival(before deadline: Moment?) -> ArrivalWait? {
      hasWaits ? ArrivalWait(for: self, until: deadline) : nil
    }

    func hasCome(before deadline: Moment?) async -> Bool {
      state.withLock { $0.waits += 1 }
      return false
    }

    func signal() {}
  }

  private let lines = TimedRead.lines(Lines.bytes("a"), at: .at(1))

  @Test func `waits before each poll but the first, until lines have come`() async throws {
    let session = Session(["a", nil, nil, "a"])
    #expect(try await session.read(until: nil) == lines)
    #expect(session.waits == 0)
    // Not every wait that ends has brought lines.
    #expect(
      try await session.read(until: LocationClock.live.now.advanced(by: .seconds(1000))) == lines)
    #expect(session.waits == 2)
    await #expect(throws: Session.end) { try await session.read(until: nil) }
  }

  @Test func `ends at its deadline, but returns what has come by then`() async throws {
    let session = Session([nil, nil, nil, "a"])
    let start = LocationClock.live.now
    guard case .timedOut(let moment) = try await session.read(until: .past) else {
      Issue.record("no time-out")
      return
    }
    #expect(start <= moment && session.waits == 1)
    #expect(try await session.read(until: .past) == lines)
  }

  @Test func `polls once more if there is no wait`() async throws {
    let session = Session([nil, "a", nil, nil], hasWaits: false)
    #expect(try await session.read(until: nil) == lines)
    #expect(try await session.read(until: nil) == .ended)
  }

  @Test func `ends without a poll when its task is cancelled`() async throws {
    let session = Session(["a"])
    let reading = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await session.read(until: nil)
    }
    #expect(try await reading.value == .ended)
    #expect(try await session.read(until: nil) == lines)
  }
}
