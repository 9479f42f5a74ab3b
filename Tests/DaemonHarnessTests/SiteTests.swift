import DaemonHarness
import SimulatedReceiver
import Testing

@Suite(
  .enabled(if: GPSDProcess.program != nil, "gpsd is not installed"), .timeLimit(.minutes(3)))
struct `A site` {
  @Test func `lets a fault last long enough if its receiver is late, and sends faster`()
    async throws
  {
    let site = try await Site(.still)
    let sending = Task {
      while !Task.isCancelled {
        try site.receiver.step()
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    defer { sending.cancel() }
    let (start, epoch) = (ContinuousClock.now, site.receiver.nextEpoch)
    try await site.pass(.milliseconds(500))
    #expect(ContinuousClock.now - start >= .milliseconds(500))
    #expect(site.receiver.nextEpoch > epoch)
  }
}
