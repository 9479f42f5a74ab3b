import DaemonHarness
import Foundation
import Testing

/// What a machine with more to do than it has cores may add to the time of anything: twenty times
/// what it takes now to run true(1) five times, which is 0.2 s where nothing else goes on, and at least 4 s, as
/// the rest of the tests comes and goes. A sanitizer looks through all memory at the end of a program.
func slack() async throws -> Duration {
  let isSanitized = ProcessInfo.processInfo.environment["LOCWATCH_SANITIZER"] != nil
  let start = ContinuousClock.now
  for _ in 0..<5 { _ = try await ChildProcess("true").waitForExit(timeout: .seconds(30)) }
  return max((ContinuousClock.now - start) * 20, .seconds(4)) + .seconds(isSanitized ? 5 : 0)
}

/// Expects that `body` takes less than `limit` in one of five tries, where the slack of a busy machine
/// would hide the fault that it looks for: what waits for too long does so each time.
func expect(
  within limit: Duration, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async throws {
  var shortest = Duration.seconds(3600)
  for _ in 0..<5 where shortest >= limit {
    let start = ContinuousClock.now
    try await body()
    shortest = min(shortest, ContinuousClock.now - start)
  }
  #expect(shortest < limit, sourceLocation: sourceLocation)
}
