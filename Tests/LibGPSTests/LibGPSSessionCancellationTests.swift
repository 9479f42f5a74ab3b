import DaemonHarness
import GPSDLocation
import LocationCore
import Testing

@testable import LibGPS

/// That it ends at once is for the time limit to tell: 50 connects would take 150 s to give up.
@Suite(.timeLimit(.minutes(1))) struct `A libgps session that is cancelled` {
  @Test(arguments: [0, 1, 50, 1000])
  func `stops to wait for a line, whenever that is`(turns: Int) async throws {
    let fixture = try await SessionFixture(.hold)
    for _ in 0..<100 {
      let reading = Task { try await fixture.session.read(until: nil) }
      for _ in 0..<turns { await Task.yield() }
      reading.cancel()
      #expect(try await reading.value == .ended)
    }
  }

  @Test func `can be read on by another task`() async throws {
    let gate = Gate()
    let fixture = try await SessionFixture(.wait(gate), .sendLines("line"), .hold)
    let reading = Task { try await fixture.session.read(until: nil) }
    reading.cancel()
    #expect(try await reading.value == .ended)
    gate.open()
    #expect(try await fixture.line() == "line\r\n")
  }

  @Test(arguments: [0, 1, 50, 1000])
  func `stops to connect, whenever that is`(turns: Int) async throws {
    let backlog = try FullBacklog()
    let session = LibGPSSession()
    for _ in 0..<50 {
      let opening = Task {
        await failure { try await session.open(.loopback(backlog.port)) }
      }
      let start = ContinuousClock.now
      for _ in 0..<turns { await Task.yield() }
      // On a busy machine the attempt's own time may be up by now.
      let isLate = ContinuousClock.now - start > .seconds(2)
      opening.cancel()
      let error = await opening.value
      #expect(error?.code == .cancelled || isLate, "\(String(describing: error))")
    }
  }
}
