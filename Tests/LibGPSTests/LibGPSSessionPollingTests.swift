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

  private func text(_ lines: GPSDLines?) -> String? {
    lines.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test func `receives once after each wait`() async throws {
    let gate = Gate()
    let fixture = try await SessionFixture(
      .sendLines("one", "two"), .wait(gate), .sendLines("three"), .hold)
    let session = fixture.session
    try waitForBytes(session)
    #expect(try text(session.poll()) == "one\r\ntwo\r\n")
    #expect(try session.poll() == nil)
    gate.open()
    try waitForBytes(session)
    #expect(try session.poll() == nil)
    // On the thread of the loop, as in a run: elsewhere, the loop can report bytes that were received meanwhile.
    try await withTaskExecutorPreference(EventLoop.shared) {
      let arrival = try #require(session.arrival(before: nil)).arrival
      #expect(await arrival.hasCome(before: nil))
      #expect(try text(session.poll()) == "three\r\n")
      let deadline = Moment(uptime: .seconds(7))
      let next = session.arrival(before: deadline)
      #expect(next?.arrival === arrival && next?.deadline == deadline)
      #expect(await !arrival.hasCome(before: .within(.milliseconds(1))))
      #expect(try session.poll() == nil)
    }
  }

  @Test func `waits without an end, until it is signalled`() async throws {
    let fixture = try await SessionFixture(.hold)
    let arrival = try #require(fixture.session.arrival(before: nil)).arrival
    arrival.signal()
    #expect(await arrival.hasCome(before: nil))
    let waiting = Task { await arrival.hasCome(before: nil) }
    waiting.cancel()
    arrival.signal()
    #expect(await waiting.value)
  }

  @Test func `fails at the end of the connection, after the last lines`() async throws {
    let fixture = try await SessionFixture(.sendLines("last"))
    let session = fixture.session
    var lines: String?
    let error = await failure {
      while let arrival = session.arrival(before: nil)?.arrival {
        #expect(await arrival.hasCome(before: .within(.seconds(20))))
        if let text = try text(session.poll()) { lines = text }
      }
    }
    #expect(lines == "last\r\n")
    #expect(error?.code == .disconnected)
    #expect(session.arrival(before: nil) == nil)
    #expect(await failure { try session.poll() } == error)
  }

  @Test func `fails without a connection`() async {
    let session = LibGPSSession()
    #expect(await failure { try session.poll() }?.code == .disconnected)
    #expect(session.arrival(before: nil) == nil)
  }
}
