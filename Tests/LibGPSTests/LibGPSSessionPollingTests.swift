import DaemonHarness
import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import Testing

@testable import LibGPS

@Suite(.timeLimit(.minutes(3))) struct `A libgps session that is polled` {
  /// Waits until there is something to receive.
  private func waitForBytes(_ session: LibGPSSession) throws {
    var socket = pollfd(
      fd: try #require(session.descriptor), events: Int16(POLLIN), revents: 0)
    #expect(unsafe Glibc.poll(&socket, 1, 20_000) == 1)
  }

  /// Returns the text of lines; `nil` if there are none.
  private func poll(_ session: LibGPSSession) throws -> String? {
    guard case .received(let lines) = try session.poll(at: LocationClock.live.now) else {
      return nil
    }
    return String(decoding: lines.bytes, as: UTF8.self)
  }

  @Test func `receives once after each wait`() async throws {
    let gate = Gate()
    let fixture = try await SessionFixture(
      .sendLines("one", "two"), .wait(gate), .sendLines("three"), .hold)
    let session = fixture.session
    try waitForBytes(session)
    #expect(try poll(session) == "one\r\ntwo\r\n")
    #expect(try poll(session) == nil)
    gate.open()
    try waitForBytes(session)
    #expect(try poll(session) == nil)
    // On the thread of the loop, as in a run: elsewhere, the loop can report bytes that were received meanwhile.
    try await withTaskExecutorPreference(EventLoop.shared) { () async throws in
      let waiter = Waiter(by: .live)
      let wait = session.wait()
      #expect(wait.deadline == nil)
      await waiter.wait(for: wait)
      #expect(try poll(session) == "three\r\n")
      let next = session.wait()
      #expect(next.arrival === wait.arrival)
      await waiter.wait(for: next, until: .within(.milliseconds(1)))
      #expect(try poll(session) == nil)
    }
  }

  @Test func `waits without an end, until it is signalled`() async throws {
    let wait = try await SessionFixture(.hold).session.wait()
    let waiter = Waiter(by: .live)
    wait.arrival?.signal()
    await waiter.wait(for: wait)
    let waiting = Task { await waiter.wait(for: wait) }
    wait.arrival?.signal()
    await waiting.value
  }

  @Test func `fails at the end of the connection, after the last lines`() async throws {
    let fixture = try await SessionFixture(.sendLines("last"))
    let session = fixture.session
    var lines: String?
    let error = await failure {
      while !Task.isCancelled {
        if let text = try poll(session) { lines = text }
        await Waiter(by: .live).wait(for: session.wait(), until: .within(.seconds(20)))
      }
    }
    #expect(lines == "last\r\n")
    #expect(error?.code == .disconnected)
    #expect(session.wait().deadline == .past)
    #expect(await failure { try poll(session) } == error)
  }

  @Test func `fails without a connection`() async {
    let session = LibGPSSession()
    #expect(await failure { try poll(session) }?.code == .disconnected)
    #expect(session.wait().deadline == .past)
  }
}
