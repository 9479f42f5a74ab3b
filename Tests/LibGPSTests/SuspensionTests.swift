import DaemonHarness
import LibGPS
import GPSDLocation
import LocationCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A machine that was suspended` {
  /// poll(2) would wait for the rest of its hour, for which the machine now runs again.
  @Test func `notices within a second that the time is over`() async throws {
    let clock = SkippingClock()
    let impostor = try Impostor([.hold])
    let session = LibGPSSession(clock: clock.locationClock)
    try await session.open(impostor.endpoint)
    let deadline = clock.locationClock.now.advanced(by: .seconds(3600))
    let start = ContinuousClock.now
    let reading = Task { try await session.read(until: deadline) }
    clock.skip(.seconds(7200))
    guard case .timedOut(let moment) = try await reading.value else {
      return #expect(Bool(false), "it did not time out")
    }
    #expect(deadline <= moment)
    #expect(ContinuousClock.now - start < .seconds(20))
    await session.close()
  }
}

/// The machine's own clock, as after a sleep.
private final class SkippingClock: Sendable {
  private let skipped = Mutex(Duration.zero)

  func skip(_ duration: Duration) { skipped.withLock { $0 += duration } }

  var locationClock: LocationClock {
    LocationClock(
      now: { [self] in LocationClock.live.now.advanced(by: skipped.withLock(\.self)) },
      sleepUntil: { _ in try await Task.sleep(for: .seconds(60)) })
  }
}
