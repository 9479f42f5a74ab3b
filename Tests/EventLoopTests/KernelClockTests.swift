import LocationCore
import Testing

@testable import EventLoop

@Suite struct `The clock of the kernel` {
  @Test(
    arguments: [
      (KernelClock(state: 0, status: 0x2001, maximumError: 1500), 0.0015),
      (KernelClock(state: 0, status: 0, maximumError: 0), 0),
      // A leap second is to come, and is there.
      (KernelClock(state: 1, status: 0x11, maximumError: 2_000_000), 2),
      (KernelClock(state: 4, status: 0x11, maximumError: 16_000_000), 16),
      (KernelClock(state: 5, status: 0x40, maximumError: 16_000_000), nil),
      (KernelClock(state: 0, status: 0x41, maximumError: 10), nil),
      (KernelClock(state: 5, status: 0x2001, maximumError: 10), nil),
      (KernelClock(state: -1, status: 0, maximumError: 0), nil),
      (KernelClock(state: 0, status: 0, maximumError: -1), nil),
    ] as [(KernelClock, Double?)])
  func `is right within its error, unless the kernel says that it is not kept right`(
    clock: KernelClock, error: Double?
  ) {
    #expect(clock.error == error)
  }

  @Test func `is asked without changing it, and says that it is synchronised or not`() {
    let clock = KernelClock.now
    #expect(clock.state >= -1 && clock.state <= 5)
    #expect(clock.maximumError >= 0)
    #expect(KernelClock.now.status == clock.status)
  }

  @Test func `belongs to that of the loop`() throws {
    let loop = try #require(EventLoop())
    #expect((loop.clock.wallError() == nil) == (KernelClock.now.error == nil))
    loop.finish()
  }
}
