import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(1))) struct `A location clock of another clock` {
  private let other = ManualClock()
  private let start = Timestamp(secondsSince1970: 1_800_000_000)

  @Test func `begins at zero, and shows what the other one shows`() {
    other.jump(by: .seconds(7))
    let clock = LocationClock(other, start: start)
    #expect(clock.now.uptime == .zero)
    #expect(clock.now.wall == start)
    other.jump(by: .milliseconds(1500))
    #expect(clock.now.uptime == .milliseconds(1500))
    #expect(clock.now.wall == start.advanced(by: .milliseconds(1500)))
  }

  @Test func `knows no time of day unless it is given one`() {
    let clock = LocationClock(other)
    other.jump(by: .seconds(1))
    #expect(clock.now.wall == nil)
    #expect(clock.moment(at: start) == nil)
  }

  @Test func `sleeps until the other one has come to the deadline`() async throws {
    other.jump(by: .seconds(7))
    let clock = LocationClock(other)
    let deadline = clock.now.advanced(by: .seconds(5))
    let sleep = Task { try await clock.sleep(until: deadline) }
    await other.waitForSleepers()
    other.jump(by: .milliseconds(4999))
    #expect(other.sleeperCount == 1)
    other.jump(by: .milliseconds(1))
    try await sleep.value
    #expect(clock.now == deadline)
    try await clock.sleep(until: deadline)
  }

  @Test func `ends a sleep whose task is cancelled`() async {
    let clock = LocationClock(other)
    let sleep = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(5))) }
    await other.waitForSleepers()
    sleep.cancel()
    await #expect(throws: CancellationError.self) { try await sleep.value }
    #expect(other.sleeperCount == 0)
  }

  @Test func `gives a source its deadlines`() async throws {
    let clock = LocationClock(other)
    let source = ScriptedLocationSource(clock: clock, scripts: [])
    let request = Task { () async throws(LocationError) -> LocationFix in
      try await source.currentLocation(timeout: .seconds(5))
    }
    await other.waitForSleepers()
    other.jump(by: .seconds(5))
    let error = await #expect(throws: LocationError.self) { try await request.value }
    #expect(error?.code == .timedOut)
  }
}
