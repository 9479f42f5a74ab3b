import EventLoop
import Glibc
import LocationCore
import Testing

@testable import LocwatchCLI

@Suite struct `A supervised child` {
  /// The child ends when the pipe that is its descriptor 3 is closed, which another task of the
  /// same loop does. If the wait blocked the loop, it would be killed instead.
  @Test(.timeLimit(.minutes(5)))
  func `is waited for while other tasks of the loop go on`() async throws {
    let (result, hold) = (try Self.makePipe(), try Self.makePipe())
    let (output, other) = (result[0], hold[1])
    let loop = try #require(EventLoop())
    let child = try Supervisor(
      ["/bin/sh", "-c", "read -r _ <&3; echo ended >&4"], environment: [],
      descriptors: [hold[0], result[1]])
    for end in [hold[0], result[1]] { close(end) }
    let ending = Task(executorPreference: loop) {
      await child.end(by: loop.clock)
      loop.finish()
    }
    Task(executorPreference: loop) {
      while await loop.clock.sleep(until: loop.clock.now.advanced(by: .milliseconds(1))) {
        close(other)
        return
      }
    }
    #expect(BlockingThread.start { loop.run() })
    await ending.value
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = read(output, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "ended\n")
    close(output)
  }

  /// Returns the reading and the writing end of a pipe, neither of which a child inherits.
  private static func makePipe() throws -> [CInt] {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }
}
