import DaemonHarness
import GPSDLocation
import Glibc
import LocationCore
import TestSupport
import Testing

@testable import LibGPS

/// That it ends at once is for the time limit to tell: 50 connects would take 150 s to give up.
@Suite(.timeLimit(.minutes(3))) struct `A libgps session that is cancelled` {
  @Test(arguments: [0, 1, 50, 1000])
  func `stops waiting for a line, at any moment`(turns: Int) async throws {
    let fixture = try await SessionFixture(.hold)
    for _ in 0..<100 {
      let reading = Task { try await fixture.session.read() }
      for _ in 0..<turns { await Task.yield() }
      reading.cancel()
      #expect(try await reading.value == .ended)
    }
  }

  @Test func `can be read on by another task`() async throws {
    let gate = Gate()
    let fixture = try await SessionFixture(.wait(gate), .sendLines("line"), .hold)
    let reading = Task { try await fixture.session.read() }
    reading.cancel()
    #expect(try await reading.value == .ended)
    gate.open()
    #expect(try await fixture.line() == "line\r\n")
  }

  /// 200 lines in one piece, which is received as a whole.
  private var lines: ImpostorStep {
    .send((1...200).map { #"{"class":"TPV","mode":1,"n":\#($0)}"# + "\r\n" }.joined())
  }

  @Test func `returns none of the buffered lines, and loses none`() async throws {
    let fixture = try await SessionFixture(lines, .hold)
    let session = fixture.session
    let descriptor = session.descriptor
    var socket = pollfd(fd: try #require(descriptor), events: Int16(POLLIN), revents: 0)
    #expect(unsafe poll(&socket, 1, 20_000) == 1)
    let reads = try await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return [try await session.read(), try await session.read(until: .past)]
    }.value
    #expect(reads == [.ended, .ended])
    for number in 1...200 {
      let line = try await fixture.line()
      #expect(line == #"{"class":"TPV","mode":1,"n":\#(number)}"# + "\r\n")
    }
  }

  @Test func `ends its source's events and updates at once`() async throws {
    let impostor = try Impostor([.expect("?WATCH"), lines, .hold])
    let source = GPSDLocationSource(endpoint: impostor.endpoint)
    let events = Task { try await elements(of: source.events(), cancellingAfter: 3) }
    #expect(try await events.value == 3)
    let updates = Task { try await elements(of: source.updates(), cancellingAfter: 2) }
    #expect(try await updates.value == 2)
  }

  /// How many elements arrive in a task that cancels itself after this many.
  private func elements<Sequence: AsyncSequence>(
    of sequence: Sequence, cancellingAfter limit: Int
  ) async throws(Sequence.Failure) -> Int {
    var count = 0
    for try await _ in sequence {
      count += 1
      if count == limit { withUnsafeCurrentTask { $0?.cancel() } }
    }
    return count
  }

  @Test(arguments: [0, 1, 50, 1000])
  func `stops connecting, at any moment`(turns: Int) async throws {
    let backlog = try FullBacklog()
    let session = LibGPSSession()
    for _ in 0..<50 {
      let start = ContinuousClock.now
      let opening = Task {
        await failure { try await session.open(.loopback(backlog.port)) }
      }
      for _ in 0..<turns { await Task.yield() }
      opening.cancel()
      // On a busy machine the attempt's own time may be up by now.
      let isLate = ContinuousClock.now - start > .seconds(2)
      let error = await opening.value
      #expect(error?.code == .cancelled || isLate, "\(String(describing: error))")
    }
  }
}
