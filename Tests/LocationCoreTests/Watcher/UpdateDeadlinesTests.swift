import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

/// `next(until:)`: waiting for updates up to a deadline.
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Location updates with deadlines` {
  private let clock = ManualClock()

  /// Connected, and not read from.
  private func iterator(
    _ steps: ScriptedLocationSource.Step...
  ) async throws -> LocationUpdates.AsyncIterator {
    let source = ScriptedLocationSource(clock: clock, scripts: steps)
    var updates = source.updates().makeAsyncIterator()
    #expect(Watch.line(try await updates.next(until: nil)) == "0.0 connecting")
    #expect(Watch.line(try await updates.next(until: .past))?.hasSuffix("timed out") == true)
    #expect(source.connectionCount == 1)
    return updates
  }

  private func advance(by duration: Duration) async {
    await clock.waitForSleepers()
    clock.jump(by: duration)
  }

  @Test func `a wait ends at its deadline`() async throws {
    var updates = try await iterator()
    async let advanced: Void = advance(by: .seconds(3))
    let read = try await updates.next(until: Reports.moment(3))
    await advanced
    #expect(Watch.line(read) == "3.0 seconds timed out")
  }

  @Test func `what comes at the deadline is in time, and what comes later waits for the next call`()
    async throws
  {
    var updates = try await iterator(
      .wait(.seconds(3)), .event(Reports.fix(3)), .wait(.milliseconds(1)),
      .event(Reports.fix(3.001)))
    clock.jump(by: .seconds(10))
    var told: [String?] = []
    for deadline in [2.999, 3, 3, 3, 3.001] {
      told.append(Watch.line(try await updates.next(until: Reports.moment(deadline))))
    }
    #expect(
      told == [
        "2.999 seconds timed out", "3.0 a connecting > fix-3d", "3.0 a 3d 3.0",
        "3.0 seconds timed out", "3.001 a 3d 3.001",
      ])
  }

  @Test func `a report at the deadline prevents the loss that is due at it`() async throws {
    var updates = try await iterator(
      .event(Reports.fix(0)), .wait(.seconds(65)), .event(Reports.fix(65)))
    clock.jump(by: .seconds(80))
    var told: [String?] = []
    for _ in 0..<4 { told.append(Watch.line(try await updates.next(until: Reports.moment(65)))) }
    #expect(
      told == [
        "0.0 a connecting > fix-3d", "0.0 a 3d 0.0", "65.0 a 3d 65.0", "80.0 seconds timed out",
      ])
  }

  @Test func `what is due at the deadline is reported before the timeout`() async throws {
    var updates = try await iterator(
      .event(Reports.fix(0)), .wait(.seconds(70)), .event(Reports.fix(70)), .end)
    clock.jump(by: .seconds(80))
    let deadline = Reports.moment(65)
    var told: [String?] = []
    for _ in 0..<4 { told.append(Watch.line(try await updates.next(until: deadline))) }
    #expect(
      told == [
        "0.0 a connecting > fix-3d", "0.0 a 3d 0.0", "65.0 a fix-3d > lost: silence",
        "65.0 seconds timed out",
      ])
  }

  @Test func `a wait to connect again ends at its deadline too`() async throws {
    let source = ScriptedLocationSource(clock: clock, scripts: [.fail(.gone)])
    var updates = source.updates().makeAsyncIterator()
    #expect(Watch.line(try await updates.next(until: nil)) == "0.0 connecting")
    #expect(Watch.line(try await updates.next(until: nil)) == "0.0 connecting > no-daemon: gone")
    #expect(Watch.line(try await updates.next(until: .past)) == "0.0 seconds timed out")
  }
}
